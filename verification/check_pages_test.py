"""Tests of check_links.py and check_language.py."""
import pathlib
import tempfile
import unittest

import check_language
import check_links


class Links(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name).resolve()
        (self.root / "docs").mkdir()
        (self.root / "docs/a.md").write_text("# A page\n\n## 1. Part `two`: x\n\n## Same\n\n## Same\n", encoding="utf-8")

    def broken(self, text):
        (self.root / "README.md").write_text(text, encoding="utf-8")
        return check_links.check(self.root)[0]

    def test_files_anchors_and_other_sites_are_found(self):
        self.assertEqual(self.broken("[a](docs/a.md) [b](docs/a.md#1-part-two-x) [c](docs/a.md#same-1) [d](docs/) [e](https://x.org/y.md)"), [])

    def test_a_missing_file_is_reported_with_its_line(self):
        self.assertEqual(self.broken("text\n\n[a](docs/b.md)"), ["README.md:3: docs/b.md: no such file"])

    def test_a_missing_anchor_and_a_link_out_of_the_tree_are_reported(self):
        self.assertEqual(len(self.broken("[a](docs/a.md#same-2) [b](../x.md)")), 2)

    def test_code_is_not_a_link(self):
        self.assertEqual(self.broken("`[a](b.md)`\n\n```\n[a](b.md)\n```\n"), [])

    def test_pages_that_sources_name_must_exist(self):
        (self.root / "x.hpp").write_text("/// see docs/a.md and docs/gone.md.\n", encoding="utf-8")
        self.assertEqual(self.broken(""), ["x.hpp:1: docs/gone.md: no such file"])


class Language(unittest.TestCase):
    def phrases(self, text, prose):
        return [match.group(0) for line in prose(text) for pattern, _ in check_language.compiled() for match in pattern.finditer(line)]

    def test_phrases_of_a_page_are_found_in_any_case(self):
        self.assertEqual(self.phrases("Some 230 steps.\nThe run goes on.", check_language.prose_of_page), ["Some 230", "goes on"])  # language: quoted

    def test_code_of_a_page_is_not_checked(self):
        self.assertEqual(self.phrases("`some 230` and\n```\nsome 230\n```\n", check_language.prose_of_page), [])

    def test_parts_of_words_are_not_phrases(self):
        self.assertEqual(self.phrases("awesome 3D; foretold; a threshold", check_language.prose_of_page), [])

    def test_titles_and_comments_of_a_deck_are_checked_and_its_keys_are_not(self):
        deck = '{\n  "title": "It hardly moves",  // in the place of x\n  "let go": 1\n}'  # language: quoted
        self.assertEqual(sorted(self.phrases(deck, check_language.prose_of_deck)), ["hardly", "in the place of"])  # language: quoted

    def test_strings_and_comments_of_sources_are_checked(self):
        text = 'int told = 1;  // told, `told`\nf("about some 5"); key("told");'  # language: quoted
        self.assertEqual(self.phrases(text, check_language.prose_of_source), ["told", "some 5"])  # language: quoted

    def test_strings_and_comments_of_python_programs_are_checked_and_code_is_not(self):
        text = 'told = None if told is None else f"some 5 {told}"  # told\n"""Of\nthe issue."""\nkey = "told"\n'  # language: quoted
        self.assertEqual(self.phrases(text, check_language.prose_of_python), ["some 5", "told", "the issue"])  # language: quoted


if __name__ == "__main__":
    unittest.main()
