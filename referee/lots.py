"""Hidden lengths of turns: drawn from a secret that is promised at the start and told at the end."""

from dataclasses import dataclass
from hashlib import sha256

from referee.seeds import derive


@dataclass(frozen=True, slots=True)
class Lots:
    """The promise is the hash of the secret; the secret is empty for whoever does not know it yet."""

    promise: str
    secret: str = ""

    def length(self, turn: int, *, shortest: int, longest: int) -> int:
        """Every length from the shortest to the longest is as likely as any other."""
        return shortest + derive(self.secret, "turn", turn) % (longest - shortest + 1)


def lots_of(secret: str) -> Lots:
    return Lots(sha256(secret.encode()).hexdigest(), secret)
