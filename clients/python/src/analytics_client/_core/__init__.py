"""Parts of the client that are not for its users."""
