"""``{{Special:Name}}``: special pages that show as a part of another page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikiapi.title.specialpages import shown_name
from wikiapi.wikitext.declarations import Expansion
from wikiapi.wikitext.expand.call import SpecialCall
from wikiapi.wikitext.options import Target

if TYPE_CHECKING:
    from wikiapi.title.title import Title
    from wikiapi.wikitext.expand.expander import Expander
    from wikiapi.wikitext.expand.frame import Frame
    from wikiapi.wikitext.preprocess.nodes import Template


def expand_special(
    expander: Expander, title: Title, node: Template, frame: Frame
) -> Expansion | None:
    """What a special page shows; ``None`` where it is none to be shown within another page.

    It changes without the page being edited, so nothing that holds it may be kept.
    """
    state = expander.state
    if state.options.target not in (Target.HTML, Target.LINKS):
        return None
    name, _, subpage = shown_name(title.text).partition("/")
    page = state.registries.special_pages.get(name)
    if page is None:
        return None
    state.output.expire_after(0)
    options = frame.child(title, node.parts).arguments()
    return Expansion(page.function(SpecialCall(subpage, options, frame, state)), html=True)
