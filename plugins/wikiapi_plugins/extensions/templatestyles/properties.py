"""The properties that style sheets of templates may set; vendors' prefixes go without saying."""

from __future__ import annotations

_SIDES = (
    "",
    "-top",
    "-right",
    "-bottom",
    "-left",
    "-block",
    "-block-start",
    "-block-end",
    "-inline",
    "-inline-start",
    "-inline-end",
)
_BORDER = ("", "-color", "-style", "-width")

PROPERTIES = frozenset(
    """
    align-content align-items align-self alignment-baseline all animation animation-delay
    animation-direction animation-duration animation-fill-mode animation-iteration-count
    animation-name animation-play-state animation-timing-function appearance aspect-ratio
    backface-visibility background background-attachment background-blend-mode background-clip
    background-color background-image background-origin background-position background-repeat
    background-size block-size border-collapse border-image border-radius border-spacing
    border-top-left-radius border-top-right-radius border-bottom-left-radius
    border-bottom-right-radius bottom box-decoration-break box-shadow box-sizing break-after
    break-before break-inside caption-side caret-color clear clip clip-path color color-scheme
    column-count column-fill column-gap column-rule column-rule-color column-rule-style
    column-rule-width column-span column-width columns contain content counter-increment
    counter-reset counter-set cursor direction display empty-cells fill filter flex flex-basis
    flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-family
    font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style
    font-synthesis font-variant font-variant-alternates font-variant-caps font-variant-east-asian
    font-variant-ligatures font-variant-numeric font-variant-position font-weight
    forced-color-adjust
    gap grid grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end
    grid-column-gap grid-column-start grid-gap grid-row grid-row-end grid-row-gap grid-row-start
    grid-template grid-template-areas grid-template-columns grid-template-rows hanging-punctuation
    height hyphens image-rendering inline-size inset isolation justify-content justify-items
    justify-self left letter-spacing line-break line-height list-style list-style-position
    list-style-type mask-image max-block-size max-height max-inline-size max-width min-block-size
    min-height min-inline-size min-width mix-blend-mode object-fit object-position opacity order
    orphans outline outline-color outline-offset outline-style outline-width overflow overflow-wrap
    overflow-x overflow-y page-break-after page-break-before page-break-inside perspective
    perspective-origin place-content place-items place-self pointer-events position
    print-color-adjust
    quotes resize right rotate row-gap scale scroll-behavior size src stroke stroke-width tab-size
    table-layout text-align text-align-last
    text-combine-upright text-decoration
    text-decoration-color text-decoration-line text-decoration-skip-ink text-decoration-style
    text-decoration-thickness text-emphasis text-indent text-justify text-orientation text-overflow
    text-shadow text-size-adjust text-transform text-underline-offset text-underline-position
    text-wrap top touch-action transform transform-box transform-origin transform-style transition
    transition-delay transition-duration transition-property transition-timing-function translate
    unicode-bidi unicode-range user-select vertical-align visibility white-space widows width
    will-change word-break word-spacing word-wrap writing-mode z-index
    """.split()  # noqa: SIM905
    + [f"{box}{side}" for box in ("margin", "padding") for side in _SIDES]
    + [f"border{side}{what}" for side in _SIDES for what in _BORDER]
)
