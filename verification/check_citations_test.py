"""The check of citations, on texts with known faults."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
import check_citations  # noqa: E402

PAGES = "docs/theory"
MANUAL = """# 3. Contact

## 1. Points

**C12.** A range. **C13.** And **D1** too.

## 4. Pairs

### 4.1 Vertices
"""


def faults_in(text, manual=MANUAL):
    pages = {"03": check_citations.Page(manual), "07": check_citations.Page("## 1 One\n## 3 Three\n## 5 Five\n")}
    return list(check_citations.theory_faults(text, pages))


class Theory(unittest.TestCase):
    def test_pages_have_sections_and_corrections(self):
        page = check_citations.Page(MANUAL)
        self.assertEqual(page.sections, ["1", "4", "4.1"])
        self.assertEqual(page.marks, {"C12", "C13", "D1"})

    def test_citations_of_what_exists_are_no_faults(self):
        for text in ("theory 03", "(theory 03 section 4.1).", "Theory 07 sections 3 and 5:", "theory 07 sections 1, 3 and 5;",
                     "theory 03, C12", "theory 03 section 4.1, C13", "theory 03, the page",
                     "in theory 3.5 times", "the theory of contact", "section 4.1"):
            self.assertEqual(faults_in(text), [], text)

    def test_a_citation_goes_on_in_the_next_line_of_a_comment(self):
        for sign in ("/// ", "// ", "# ", " * ", "", "///< "):
            self.assertEqual(faults_in(f"x (theory 03\n  {sign}section 4.1)"), [], sign)
            self.assertEqual([line for line, _ in faults_in(f"y\nx (theory 03\n  {sign}section 9)")], [2], sign)

    def test_what_does_not_exist_is_told_with_what_does(self):
        for text, told in (("theory 03 section 5", "theory 03 has no section 5; it has 1, 4, 4.1"),
                           ("theory 03 section 4.2.", "theory 03 has no section 4.2; it has 1, 4, 4.1"),
                           ("theory 07 sections 3 and 4", "theory 07 has no section 4; it has 1, 3, 5"),
                           ("theory 07 sections 2, 3 and 5", "theory 07 has no section 2; it has 1, 3, 5"),
                           ("theory 03, C14", "theory 03 has no correction C14; it has C12, C13, D1"),
                           ("theory 07 section 3, D1", "theory 07 has no correction D1; it has none"),
                           ("theory 11 section 1", "no page theory 11; there are 03, 07")):
            self.assertEqual([message for _, message in faults_in(text)], [told], text)

    def test_other_forms_are_faults(self):
        for text in ("theory page 03", "theory pages 03 and 07", "theory 03, section 4.1", "theory 03, 4.1", "theory 03 C12",
                     "theory 07 section 1 and 3", "theory 07 sections 3-5", "theory 07 section 3-5", "theory 07 part B",
                     "theory 03\n/// C12", "theory section 4.1", "theory 7", "theory 03 section 1, 07 section 3",
                     "theory page\n// 03", "theory 07 sections 3"):
            messages = [message for _, message in faults_in(text)]
            self.assertEqual(len(messages), 1, text)
            self.assertTrue(messages[0].startswith("write "), messages)


class Trees(unittest.TestCase):
    def tree(self, folder):
        root = pathlib.Path(folder)
        for name, text in (("docs/references.bib", "@book{Ai,\n}\n"), (f"{PAGES}/03-contact.md", MANUAL), ("core/a.hpp", "\n")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return root

    def test_faults_name_file_and_line(self):
        with tempfile.TemporaryDirectory() as folder:
            root = self.tree(folder)
            (root / "core/a.cpp").write_text("// [Ai, Eq. (3)] and [Bee, Eq. (3)]\n\n// theory 03 section 2\n", encoding="utf-8")
            faults, keys, theory = check_citations.check(root)
            self.assertEqual(faults, ["core/a.cpp:1: [Bee] is not in docs/references.bib",
                                      "core/a.cpp:3: theory 03 has no section 2; it has 1, 4, 4.1"])
            self.assertEqual((keys, theory), (2, 1))

    def test_pages_of_the_manual_name_source_files_that_exist(self):
        with tempfile.TemporaryDirectory() as folder:
            root = self.tree(folder)
            (root / PAGES / "04-more.md").write_text("`core/a.hpp` `core/` `core/b.hpp` `time/stop`\n[Ai] [Cee] [N] [x](y)\n",
                                                     encoding="utf-8")
            faults, _, _ = check_citations.check(root)
            self.assertEqual(faults, [f"{PAGES}/04-more.md:1: no file core/b.hpp",
                                      f"{PAGES}/04-more.md:2: [Cee] is not in docs/references.bib"])



if __name__ == "__main__":
    unittest.main()
