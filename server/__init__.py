"""Hosts a bot over gRPC: the bot thinks in a worker process, the host speaks with the referee."""
