"""What do other tools say of the code? Each is run or its output is read, and is believed only where it is whole."""
