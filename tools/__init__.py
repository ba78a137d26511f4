"""What makes parts of the repository anew; nothing of it is in the package."""
