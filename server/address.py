"""Where a host may listen: on this machine only."""

import errno
import ipaddress
import socket
import stat
from dataclasses import dataclass
from pathlib import Path

from games import Mistake

#: sockaddr_un has 108 bytes, the last is a zero.
LONGEST_PATH = 107


@dataclass(frozen=True, slots=True)
class Address:
    """As gRPC takes it; `path` is the file of a unix socket."""

    text: str
    path: Path | None = None

    def with_port(self, port: int) -> str:
        return self.text if self.path is not None else f"{self.text.rpartition(':')[0]}:{port}"


def free_address(text: str) -> Address:
    """The address if it can be listened on now; a socket file that nobody listens on is removed."""
    if text.startswith("unix:"):
        return _free_path(text)
    host, colon, port = text.rpartition(":")
    if not (host and colon and port.isascii() and port.isdigit() and int(port) < 65536):
        raise Mistake(f"{text!r} is no address: write 127.0.0.1:PORT, with 0 for any free port, or unix:PATH")
    try:
        ip = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host.strip("[]"))
    except ValueError:
        raise Mistake(f"{host!r} in {text!r} is no address: use 127.0.0.1, [::1] or unix:PATH") from None
    if not ip.is_loopback:
        raise Mistake(f"a bot listens on this machine only, not on {host}: use 127.0.0.1:PORT or unix:PATH")
    with socket.socket(socket.AF_INET6 if ip.version == 6 else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((str(ip), int(port)))
        except OSError as error:
            raise Mistake(f"cannot listen on {text}: {_why(error)}") from error
    return Address(f"[{ip}]:{port}" if ip.version == 6 else f"{ip}:{port}")


def _free_path(text: str) -> Address:
    path = Path(text.removeprefix("unix:")).absolute()
    if len(str(path).encode()) > LONGEST_PATH:
        raise Mistake(
            f"the path of {text} is too long for a socket: at most {LONGEST_PATH} bytes, {path} has more"
        )
    if not path.parent.is_dir():
        raise Mistake(f"cannot listen on {text}: there is no folder {path.parent}")
    if path.exists():
        if not stat.S_ISSOCK(path.stat().st_mode):
            raise Mistake(f"cannot listen on {text}: it exists and is no socket")
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(str(path))
            except ConnectionRefusedError:
                path.unlink()  # left behind by a host that was killed
            except OSError as error:
                raise Mistake(f"cannot listen on {text}: {_why(error)}") from error
            else:
                raise Mistake(f"cannot listen on {text}: somebody else does")
    return Address(f"unix:{path}", path)


def _why(error: OSError) -> str:
    return "it is in use" if error.errno == errno.EADDRINUSE else (error.strerror or str(error)).lower()
