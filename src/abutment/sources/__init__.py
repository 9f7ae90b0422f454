"""The judged tree and the programs we run: files, git, settings, other tools' output."""
