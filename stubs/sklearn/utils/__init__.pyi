from numpy.random import RandomState

class InputTags:
    sparse: bool
    allow_nan: bool
    positive_only: bool

class ClassifierTags:
    poor_score: bool
    multi_class: bool

class RegressorTags:
    poor_score: bool

class Tags:
    input_tags: InputTags
    classifier_tags: ClassifierTags | None
    regressor_tags: RegressorTags | None

def check_random_state(seed: int | RandomState | None) -> RandomState: ...
