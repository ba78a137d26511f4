"""Bucket queue for a best-first search whose priorities are small ints, many of them equal."""

from heapq import heappop, heappush
from typing import Generic, TypeVar

Entry = TypeVar("Entry")


class BucketQueue(Generic[Entry]):
    """Priority queue: smallest priority first, last in first out among equals."""

    def __init__(self) -> None:
        self._buckets: dict[int, list[Entry]] = {}
        self._priorities: list[int] = []

    def put(self, priority: int, entry: Entry) -> None:
        bucket = self._buckets.get(priority)
        if bucket is None:
            bucket = self._buckets[priority] = []
            heappush(self._priorities, priority)
        bucket.append(entry)

    def pop(self) -> Entry | None:
        """Remove and return the next entry, or None if the queue is empty."""
        if not self._priorities:
            return None
        bucket = self._buckets[self._priorities[0]]
        entry = bucket.pop()
        if not bucket:
            del self._buckets[heappop(self._priorities)]
        return entry
