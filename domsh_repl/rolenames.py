"""All roles that a node can have, and what to say of a word that is none of them. Pure."""

from __future__ import annotations

import difflib

from domsh_repl.aria import ROLES
from domsh_repl.errors import UsageError

__all__ = ["ALL_ROLES", "check_role"]

_MORE_OF_ARIA = """
    associationlist associationlistitemkey associationlistitemvalue comment directory mark none
    presentation rootwebarea section sectionfooter sectionhead sectionheader subscript suggestion
    superscript togglebutton
    doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry
    doc-bibliography doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit
    doc-credits doc-dedication doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata
    doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index doc-introduction
    doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part
    doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc
    graphics-document graphics-object graphics-symbol img
"""
"""ARIA 1.3 §5.4, DPub-ARIA 1.1 and Graphics-ARIA 1.0, as far as they are not in ``ROLES``."""

_OF_CHROMIUM = """
    Abbr Audio Canvas Caret Cell Client ColorWell Column ComboBoxGrouping ComboBoxMenuButton
    ComboBoxSelect Date DateTime DescriptionList DescriptionListDetail DescriptionListTerm Desktop
    Details DetailsContent DisclosureTriangle DisclosureTriangleGrouped EmbeddedObject Figcaption
    FooterAsNonLandmark GenericContainer HeaderAsNonLandmark Iframe IframePresentational Ignored
    ImageMap ImeCandidate InlineTextBox InputTime Keyboard LabelText LayoutTable LayoutTableCell
    LayoutTableRow Legend LineBreak ListGrid ListMarker MathMLFraction MathMLIdentifier MathMLMath
    MathMLMultiscripts MathMLNoneScript MathMLNumber MathMLOperator MathMLOver
    MathMLPrescriptDelimiter MathMLRoot MathMLRow MathMLSquareRoot MathMLStringLiteral MathMLSub
    MathMLSubSup MathMLSup MathMLTable MathMLTableCell MathMLTableRow MathMLText MathMLUnder
    MathMLUnderOver MenuItemSeparator MenuListOption MenuListPopup Pane PdfActionableHighlight
    PdfRoot PluginObject PopUpButton Portal Pre RootWebArea Ruby RubyAnnotation ScrollView Section
    SectionFooter SectionHeader SectionWithoutName StaticText SvgRoot TableHeaderContainer TextField
    TextFieldWithComboBox TitleBar ToggleButton Unknown Video WebArea WebView Window
"""
"""Chromium's own roles, which ``ls -l`` shows where ARIA has no word (ui/accessibility)."""

ALL_ROLES = frozenset({*ROLES, *_MORE_OF_ARIA.split(), *_OF_CHROMIUM.split()})


def check_role(text: str) -> str:
    """Return a role; raises ``UsageError`` with the nearest one for what is none."""
    if text in ALL_ROLES:
        return text
    folded = {role.casefold(): role for role in sorted(ALL_ROLES)}
    near = difflib.get_close_matches(text.casefold(), folded, 1)
    hint = f"did you mean {folded[near[0]]}?" if near else "`ls -l` shows the roles of a page"
    raise UsageError(f"{text!r} is no role", hint, word=text)
