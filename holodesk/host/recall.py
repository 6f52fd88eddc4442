"""What this machine verified of a chain before, set against it as it is read again (rapp/1 7.6)."""

from collections.abc import Iterator, Mapping

from holodesk.errors import HolodeskError, Place, Rollback
from holodesk.hologram.kinds import HOUSE_KINDS
from holodesk.host.heads import kept_file, kept_head
from holodesk.rapp import frame as frames
from holodesk.rapp.address import Wave
from holodesk.rapp.stream import Head
from holodesk.store.waves import Waves


class Recall(Mapping[int, Wave]):
    """The waves that a desk file holds and the head kept outside it, as one memory by seq.

    Made before the frames are read: a head that moves meanwhile is then no rollback.
    """

    def __init__(self, first: bytes | None, waves: Waves | None = None) -> None:
        """`first` is the chain's first frame as octets, which names its stream.

        Raises:
            Unavailable: the kept head cannot be read.
        """
        self._waves: Mapping[int, Wave] = {} if waves is None else waves
        self._highest = -1 if waves is None else waves.highest
        self._where = ""
        self.kept: tuple[int, Wave] | None = None
        self._look_up(first)

    def __getitem__(self, seq: int) -> Wave:
        if self.kept is not None and seq == self.kept[0]:
            return self.kept[1]
        return self._waves[seq]

    def __iter__(self) -> Iterator[int]:
        return iter(self._waves)

    def __len__(self) -> int:
        return len(self._waves)

    def is_ahead_of(self, head: Head) -> bool:
        """Was a frame above this head verified here before?"""
        return self.kept is not None and self.kept[0] > head.seq

    def check_end(self, head: Head) -> None:
        """Refuse a chain that ends below what was verified before.

        Raises:
            Rollback: it was cut, or put back to an earlier state.
        """
        where = Place(stream=head.stream_id, seq=head.seq)
        if self._highest > head.seq:
            told = f"expected frame {self._highest}, verified before, found the desk cut at "
            raise Rollback("rapp/1 7.6", f"{told}{head.seq}", where)
        if self.kept is not None and self.kept[0] > head.seq:
            told = f"expected the head verified before, frame {self.kept[0]} ({self.kept[1][:16]}),"
            told += f" found frame {head.seq} ({head.frame_hash[:16]}); the kept head is in "
            raise Rollback("rapp/1 7.6", f"{told}{self._where}", where)

    def _look_up(self, first: bytes | None) -> None:
        try:
            genesis = frames.parse(first or b"", HOUSE_KINDS)
        except HolodeskError:
            return  # whoever follows the chain refuses it, with the reason
        keyed = isinstance(genesis.payload.get("key"), dict)
        self.kept = kept_head(genesis.stream_id, keyed=keyed)
        self._where = str(kept_file(genesis.stream_id, keyed=keyed))
