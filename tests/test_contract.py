"""The contract: the stubs are those of the .proto, and a stranger can write a bot from it."""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet

from referee import wire
from server.host import PROTOCOL
from shotclock.v1 import bot_pb2

PROTO = Path(__file__).parent.parent / "proto"
FILE = "shotclock/v1/bot.proto"


def compiled(folder: Path) -> FileDescriptorProto:
    out = folder / "bot.binpb"
    arguments = [f"--proto_path={PROTO}", f"--descriptor_set_out={out}", "--include_source_info", FILE]
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *arguments], check=True)
    (file,) = FileDescriptorSet.FromString(out.read_bytes()).file
    return file


def test_the_committed_stubs_are_those_of_the_contract(tmp_path: Path) -> None:
    """`make proto` was run after the last change."""
    file = compiled(tmp_path)
    file.ClearField("source_code_info")
    committed = FileDescriptorProto()
    bot_pb2.DESCRIPTOR.CopyToProto(committed)
    forget_json_names(file.message_type)
    assert file == committed


def forget_json_names(messages: Iterable[DescriptorProto]) -> None:
    """The compiler derives them; the stubs leave them out."""
    for message in messages:
        for field in message.field:
            field.ClearField("json_name")
        forget_json_names(message.nested_type)


def test_every_message_that_carries_something_is_explained(tmp_path: Path) -> None:
    """A field without a comment makes a stranger guess."""
    file = compiled(tmp_path)
    explained = {
        tuple(place.path) for place in file.source_code_info.location if place.leading_comments.strip()
    }
    silent = []
    for number, message in enumerate(file.message_type):
        if message.field and message.name not in {"ToBot", "ToReferee"}:
            plain = [
                f"{message.name}.{field.name}"
                for index, field in enumerate(message.field)
                if (4, number, 2, index) not in explained
            ]
            # A message of one field may be explained as a whole.
            if not (len(message.field) == 1 and (4, number) in explained):
                silent += plain
    assert silent == []


def test_both_sides_speak_the_same_version() -> None:
    """Referee and host are strangers, so nobody else compares them."""
    assert (PROTOCOL.major, PROTOCOL.minor) == (wire.MAJOR, wire.MINOR)
