"""No page changes how a later one is drawn, whatever it says of documents, windows, names or storage."""

from __future__ import annotations

import itertools

import pytest

from interactive_envs.ui2html.rendering.browser import Browser, Render

DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP8AACwAAAAAAQABAAACAkQBADs="
PARTS = f"""
<p class=scheme style="border:2px solid ButtonText">colours</p><q>quoted</q> <i style="color:#c00">inline</i>
<img src="{DOT}" width=20 height=20 alt="">
<a href="http://page.invalid/">link</a> <a href=#there target=leaked>there</a>
<ol style="list-style:leaked"><li>item</ol><table><tr><td>cell</table><input name=leaked value=v><input type=checkbox>
<b style="display:inline-block;height:9px;background:#06c;width:var(--leaked,30px)"></b>
<b style="font-family:leaked,monospace;animation:leaked 1s paused both">named</b>
<svg width=20 height=20><rect width=20 height=20 fill="url(#leaked)" filter="url(#leaked-filter)"/></svg>
<div id=there style="position:fixed;right:0;bottom:0;width:9vw">fixed</div>
"""
"""What others could change: it is shown by every page here."""
SENSITIVE = f"""<!doctype html><title>Sensitive</title><style>
body {{ margin: 8px; font: 16px Arial; min-height: 900px }}
.scheme {{ background: light-dark(#fff, #135); color: CanvasText }}
:lang(de) {{ letter-spacing: 3px }} :lang(ja) {{ letter-spacing: 5px }}
a:visited {{ color: #0a0 }} :target {{ color: #a0a }} :focus {{ background: #ff0 }} :popover-open {{ color: #0ff }}
@layer early, late; @layer late {{ q {{ color: #080 }} }} @layer early {{ q {{ color: #800 }} }}
@media (max-width: 500px), (prefers-color-scheme: dark), print {{ q {{ font-size: 30px }} }}
</style><style title=First>i {{ font-size: 24px }}</style><style title=Second>i {{ font-size: 40px }}</style>{PARTS}"""


def head(html: str) -> str:
    return f"<!doctype html><html><head><title>t</title>{html}</head><body>{PARTS}"


def meta(name: str, content: str) -> str:
    return head(f'<meta http-equiv="{name}" content="{content}"><meta name="{name}" content="{content}">')


def css(text: str) -> str:
    return head(f"<style>{text}</style>")


def body(html: str) -> str:
    return f"<!doctype html><title>t</title><body>{html}{PARTS}"


KINDS = {
    "sensitive": SENSITIVE,
    "policy against images": meta("Content-Security-Policy", "img-src 'none'"),
    "policy against styles": meta("Content-Security-Policy", "style-src 'none'"),
    "policy against all": meta("Content-Security-Policy", "default-src 'none'; base-uri 'none'; sandbox"),
    "policy of types": meta("Content-Security-Policy", "require-trusted-types-for 'script'; trusted-types x"),
    "policy that upgrades": meta("Content-Security-Policy", "upgrade-insecure-requests; block-all-mixed-content"),
    "dark scheme": meta("color-scheme", "dark"),
    "either scheme": meta("color-scheme", "only light dark"),
    "dark root": css(":root { color-scheme: dark }"),
    "German": meta("content-language", "de"),
    "Japanese from the right": f"<!doctype html><html lang=ja dir=rtl><title>t</title><body>{PARTS}",
    "default style": meta("default-style", "Second"),
    "titled style": head("<style title=Other>i { color: #00f }</style>"),
    "alternate styles": head(
        "<link rel='alternate stylesheet' title=Second href='data:text/css,i{color:red}'>"
        "<style title=Second>i { color: #0f0 }</style><style title=First media=print>i { color: #00f }</style>"
    ),
    "quirks": PARTS,
    "nearly standards": f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x"><title>t</title>{PARTS}',
    "XHTML": f'<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">'
    f'<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><title>t</title><body>{PARTS}',
    "referrer": meta("referrer", "unsafe-url"),
    "base": head("<base href='http://elsewhere.invalid/' target=_blank>"),
    "refresh to itself": meta("refresh", "0"),
    "refresh to another": meta("refresh", "0; url=data:text/html,gone"),
    "viewport": meta("viewport", "width=320, initial-scale=3, user-scalable=no"),
    "theme": meta("theme-color", "#f0f") + "<meta name=text-scale content=scale>",
    "cookie": meta("set-cookie", "leaked=1; path=/; max-age=9999"),
    "hints": meta("accept-ch", "width, dpr, sec-ch-prefers-color-scheme") + "<meta http-equiv=delegate-ch content=dpr>",
    "permissions": meta("permissions-policy", "fullscreen=()") + "<meta http-equiv=origin-trial content=x>",
    "character set": head("<meta charset=utf-16><meta http-equiv=content-type content='text/html; charset=koi8-r'>"),
    "preloads": head(
        f"<link rel=preload as=image href='{DOT}'><link rel=prefetch href='http://page.invalid/'>"
        "<link rel=prerender href='http://page.invalid/'><link rel=preconnect href='http://x.invalid'>"
        f"<link rel=icon href='{DOT}'><link rel=manifest href='data:application/json,{{}}'>"
        "<link rel=compression-dictionary href=x>"
        '<script type=speculationrules>{"prefetch":[{"urls":["/"]}]}</script>'
    ),
    "property": css("@property --leaked { syntax: '<length>'; inherits: false; initial-value: 90px }"),
    "counter style": css("@counter-style leaked { system: cyclic; symbols: X Y; suffix: ' ) ' }"),
    "font face": css("@font-face { font-family: leaked; src: local('Liberation Serif'); size-adjust: 200% }"),
    "keyframes": css("@keyframes leaked { from { font-size: 40px; color: red } to { color: blue } }"),
    "layers": css("@layer late, early; @layer late { q { color: red !important } }"),
    "view transition": css("@view-transition { navigation: auto } p { view-transition-name: leaked }"),
    "palettes and features": css(
        "@font-palette-values --leaked { font-family: Arial; base-palette: 1 }"
        "@font-feature-values Arial { @styleset { leaked: 1 } } @namespace svg url(leaked); @page { size: A5 }"
    ),
    "anchors": css("p { anchor-name: --leaked } @position-try --leaked { left: 0 } q { position-anchor: --leaked }"),
    "containers": css(
        "body { container: leaked / inline-size } @container leaked (width > 1px) { q { color: red } }"
        "@scope (body) { i { color: red } } @starting-style { b { color: red } } @function --leaked() { result: 9px }"
    ),
    "frameset": "<frameset cols=50%,50%><frame name=leaked src='http://page.invalid/'><frame name=b></frameset>",
    "frames": body("<iframe name=leaked srcdoc='<p>in'></iframe><iframe src='data:text/html,x' name=_top></iframe>"),
    "plugins": body(f"<object name=leaked data='{DOT}'></object><embed name=leaked src='{DOT}'><portal></portal>"),
    "form": body("<form id=leaked><input name=leaked value=other autofocus><input type=checkbox checked></form>"),
    "top layer": body("<dialog open>d</dialog><div popover=manual id=p>p</div><details open><summary>s</details>"),
    "scrolled": css("html { overflow: hidden scroll; scrollbar-gutter: stable; scroll-snap-type: y mandatory }")
    + "<div style='height:3000px'></div><input autofocus><p id=there>",
    "zoomed": css("html { zoom: 2; writing-mode: vertical-rl; text-size-adjust: 300% } body { scale: 2 }"),
    "links": body("<a href='http://page.invalid/' ping='http://page.invalid/'>a</a>" * 20 + "<a name=there id=there>"),
    "shadowing": body("<form name=body></form><img name=getElementById><form name=open><input name=write></form>"),
    "body attributes": "<!doctype html><body bgcolor=#224466 text=white link=lime vlink=red topmargin=40>" + PARTS,
    "moving": body(
        "<marquee>m</marquee><svg><rect width=9 height=9><animate attributeName=x to=90 dur=1s repeatCount=9 /></rect>"
        "</svg><progress></progress>"
    ),
    "drawn names": body(
        "<svg width=0 height=0><linearGradient id=leaked><stop stop-color=red /></linearGradient>"
        "<filter id=leaked-filter><feFlood flood-color=lime /></filter></svg><map name=leaked></map>"
    ),
    "templates": body("<template shadowrootmode=open>x</template><noscript><style>q{color:red}</style></noscript>"),
    "plain text": body("") + "<plaintext><style>q { color: red }</style>",
}
"""Pages that say something of their document, window, names or storage; all that each shows is in :data:`PARTS`."""


DAILY = ["cookie"]
"""What a page could leave behind in the profile; drawing one takes seconds of computing."""


def changed(browser: Browser, names: list[str], alone: dict[str, Render]) -> list[tuple[str, str]]:
    """Pages of a sequence that do not look as they do alone, each after the one before."""
    found, before = [], ""
    for name in names:
        if browser.render(KINDS[name]) != alone[name]:
            found.append((before, name))
        before = name
    return found


def alone_and_before_the_sensitive(browser: Browser, names: list[str]) -> dict[str, Render]:
    """What each page looks like, once none has changed the page after it."""
    alone = {"sensitive": browser.render(SENSITIVE)}
    leaks = []
    for name in names:
        alone[name] = browser.render(KINDS[name])
        leaks += changed(browser, ["sensitive"], alone) and [name]
    assert leaks == []
    return alone


def test_a_page_with_a_cookie_changes_no_later_one(browser: Browser) -> None:
    assert set(alone_and_before_the_sensitive(browser, DAILY)) == {"sensitive", *DAILY}


@pytest.mark.long
def test_no_page_changes_a_later_one(browser: Browser, chromium: str) -> None:
    assert len(KINDS) > 40
    alone = alone_and_before_the_sensitive(browser, list(KINDS))
    with Browser(chromium=chromium) as other:  # in the other order each comes after another one
        assert changed(other, list(reversed(KINDS)), alone) == []


@pytest.mark.timeout(3600)  # 2,600 pages
@pytest.mark.long
def test_no_page_changes_the_next_in_any_order_of_two(browser: Browser, chromium: str) -> None:
    alone = {}
    for name, page in KINDS.items():
        with Browser(chromium=chromium) as fresh:
            alone[name] = fresh.render(page)
    names = list(KINDS)
    # Each follows each, and itself, once: a de Bruijn sequence.
    order = [one for i, a in enumerate(names) for one in (a, *(x for b in names[i + 1 :] for x in (a, b)))]
    order.append(names[0])
    assert len(set(itertools.pairwise(order))) == len(names) ** 2
    assert changed(browser, order, alone) == []
