"""The key that seals records: Ed25519, one per user, made on first use."""

import os
from hashlib import sha256
from pathlib import Path
from typing import Annotated

import typer
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from games import Mistake

#: What a seal says before the hash it is for, so that a signature of ours can mean nothing else.
SEAL = "shotclock record "
#: The same for a signature that is kept, as the source of a secret.
LENGTHS = "shotclock turn lengths "


def key_path() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "shotclock" / "key.pem"


def load_key() -> Ed25519PrivateKey:
    path = key_path()
    try:
        if not path.exists():
            _make(path)
        key = load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise Mistake(f"cannot use the key {path}: {error.strerror}") from error
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise Mistake(f"{path} is no private key: move it away and a new one is made") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise Mistake(f"{path} is no Ed25519 key: move it away and a new one is made")
    return key


def _make(path: Path) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = path.with_suffix(f".{os.getpid()}")
    new.touch(mode=0o600, exist_ok=False)
    with new.open("wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(new, path)  # unlike a rename it never replaces a key that another referee has just made
    except FileExistsError:
        pass
    finally:
        new.unlink()


def public_hex(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()


def seal(key: Ed25519PrivateKey, last: str) -> dict[str, str]:
    """The entry that closes a record: `last` is the hash of the entry before it."""
    return {"kind": "seal", "key": public_hex(key), "signature": key.sign(f"{SEAL}{last}".encode()).hex()}


def secret_for(key: Ed25519PrivateKey, match_id: str) -> str:
    """Nobody else can make it; made again it is the same, so a match that goes on needs no place to keep it."""
    return sha256(key.sign(f"{LENGTHS}{match_id}".encode())).hexdigest()


def key(
    *,
    export: Annotated[
        Path | None,
        typer.Option(help="Write the public key to this file, as PEM, for others to verify with."),
    ] = None,
) -> None:
    """Show the public key that seals your records; it is made on first use."""
    ours = load_key()
    if export is None:
        typer.echo(f"{public_hex(ours)}\n{key_path()}")
        return
    pem = ours.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    try:
        export.write_bytes(pem)
    except OSError as error:
        raise Mistake(f"cannot write {export}: {error.strerror}") from error
    typer.echo(f"public key written to {export}")
