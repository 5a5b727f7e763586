// What Unicode says of characters that are not ASCII: tables of our own, so that every Python cuts a text alike.
#pragma once

namespace littlestone::features {

// Whether a character is a letter or a digit.
bool in_word(char32_t c);
bool is_space(char32_t c);
char32_t lower(char32_t c);

}  // namespace littlestone::features
