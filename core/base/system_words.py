"""What the operating system says when it refuses, in the words of a person."""

from __future__ import annotations

import errno

WORDS = {
    errno.ENOENT: "it does not exist",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.EROFS: "the disk is read-only",
    errno.ENOSPC: "no space left on the disk",
    errno.EDQUOT: "the quota of the disk is used up",
    errno.EFBIG: "too large for the disk",
    errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of the path is a file and no folder",
    errno.EEXIST: "a file is in the way",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "a link leads back to itself",
    errno.EINVAL: "not possible there",
    errno.EIO: "the disk reports an error",
    errno.EMFILE: "too many open files",
    errno.ENFILE: "too many open files",
    errno.EPIPE: "the reader has closed it",
    errno.ENXIO: "nothing is at its other end",
    errno.ESPIPE: "it can be read only once, from start to end",
    errno.ESTALE: "the network folder has gone",
    errno.ETXTBSY: "it is in use",
    errno.EBUSY: "it is in use",
}


def because_not_written(error: OSError) -> str:
    """Why the system refused to write: that what is written does not exist yet is no reason to a person."""
    return "no file can be made there" if error.errno == errno.ENOENT else because(error)


def because(error: OSError) -> str:
    """Why the system refused, without capital and full stop."""
    known = WORDS.get(error.errno or 0)
    return known or (error.strerror or "the system gave no reason").lower()
