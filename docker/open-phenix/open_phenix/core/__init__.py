"""What every program shares: the declarative spec, the argument parser, files, processes, the head lines."""
