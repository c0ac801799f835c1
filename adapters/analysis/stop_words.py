"""Words that say nothing about a text's subject, as they look after analysis."""

from typing import Final

_ENGLISH: Final = """
    a an and are as at be been but by can could did do does for from had has have how if in into is it its may
    might must no not of on or our shall should so such than that the their them then there these they this those to
    was we were what when where which who whom whose why will with would you your
"""
ENGLISH: Final = frozenset(_ENGLISH.split())

_JAPANESE: Final = """
    為る 居る 有る 成る 言う 因る 於く 対する 関する 事 物 所 為 様 等 此れ 其れ 此の 其の 此処 其処 又 及び
    迄 貰う 下さる 頂く 呉れる 出来る 仕舞う 御 無い
    何 誰 何時 何処 何方 何れ どの どう どんな 如何 幾つ 何故
"""
JAPANESE: Final = frozenset(_JAPANESE.split())
"""Normalised forms of Sudachi; particles, auxiliaries and symbols are dropped by part of speech already."""

_CHINESE: Final = """
    的 了 是 在 和 与 及 或 等 也 都 就 而 着 把 被 对 从 到 由 于 以 为 其 之 这 那 这个 那个 这些 那些 我们 你们
    他们 它们 以及 并且 或者 如果 因为 所以 但是 一个 什么 怎么 如何 吗 呢 吧 與 對 從 於 為 這 個 嗎
"""
CHINESE: Final = frozenset(_CHINESE.split())
