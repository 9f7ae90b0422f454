"""Where does CI call us, and how strictly?"""
