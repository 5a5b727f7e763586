// The cores that a thread may take: one that works beside others of its kind leaves them theirs.
#pragma once

namespace littlestone {

// Whether a second thread may help this one: there is a core for it, and nobody has said that all of them are busy.
bool may_have_help();
// Says whether this thread is one of several that keep the cores busy; returns what was said before.
bool works_beside_others(bool beside);

}  // namespace littlestone
