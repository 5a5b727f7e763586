"""Following a log of messages: a learner whose model file says how far it has read, so that every message counts once.

`littlestone.kafka` and `littlestone.redis` bring the logs. Whatever happens between two writings of the model file is done
again from the file: the messages are still in the log, and their order depends on the log alone.
"""

from littlestone.follow.follower import Followed, Follower, followed
from littlestone.follow.log import Message, MessageLog, Place, Published, Read
from littlestone.follow.reading import AS_JSON, FOR_EVER, Habits, OnError, Reading, Topics

__all__ = [
    "AS_JSON",
    "FOR_EVER",
    "Followed",
    "Follower",
    "Habits",
    "Message",
    "MessageLog",
    "OnError",
    "Place",
    "Published",
    "Read",
    "Reading",
    "Topics",
    "followed",
]
