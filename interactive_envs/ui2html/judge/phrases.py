"""The English in which pages are spoken of, as units: subjects, properties, directions, values, verbs.

Each table below has lines ``meaning: phrase, phrase``. A phrase is matched in the spelling of :func:`plain`; the
longest match wins, and a word that is in none is looked up again without a plural ending.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple


class Unit(NamedTuple):
    """A word or phrase with a meaning.

    Attributes:
        kind: ``subject``, ``property``, ``direction``, ``value``, ``verb``, ``place``, ``number``, ``length``,
            ``quote``, ``negation``, ``ordinal``, ``skip``, ``word``, or the kinds of :data:`_FRAME`.
        meaning: by kind.
        text: as it stands in the question.
        plural: of a subject.
    """

    kind: str
    meaning: Any
    text: str
    plural: bool = False


_SUBJECTS = """
page: page, webpage, web page, website, site, whole page, whole site, design, overall design, screen, overall
page: everything
page: interface, ui, whole design, entire page, whole layout, page as a whole, overall page, entire design, entire site
page: entire layout, overall layout, page layout, body, layout, canvas
header: header, top bar, topbar, header bar, masthead, app bar, page header, site header, header area, top banner
header: header strip, header band, header section, top header, title bar, top strip, top band
navbar: navbar, nav bar, navigation bar, top navigation, top nav, menu bar
nav: nav, navigation, menu, navigation menu, main menu, main navigation, nav menu, header menu
nav: header navigation, list of links
navlink: nav link, navigation link, menu item, menu link, nav item, navigation item, header link, top link, menu entry
navlink: navbar link, link in the header, link in the nav, link in the navigation, header nav link, menu option
navlink: tab link
navlink: nav entry, navigation entry
sidelink: sidebar link, side link, sidebar item, sidebar entry, sidebar menu item
hero: hero, hero section, hero area, hero banner, jumbotron, hero block, intro section, introduction section
sidebar: sidebar, side bar, side menu, side panel, side column, side navigation, aside, side nav, sidebar column
sidebar: vertical menu, vertical navigation, column of links, list of links on the side
sidebar: sidebar menu, left sidebar, side rail, secondary column
footer: footer, page footer, site footer, footer bar, footer area, footer strip, footer section, bottom bar
footer: bottom strip, footer line, footer band
main: article text, dashboard, main content, content, main area, content area, main column, main part, main section
main: page content, main block
main: content column, main panel
article: article, text column, article column, reading column, column of text, article body, story, post, blog post
article: essay
container: container, wrapper, content container, content wrapper
section: section, block, area, part, band, content section, page section
card: group, settings group, setting group, group of settings, card, tile, box, panel, content card, content box
card: container card
stat: statistic, stat, stat card, number card, statistic card, metric card, statistics card, metric, kpi, kpi card
stat: stat tile, metric tile, summary card, statistics, stat box
plan: plan, plan card, pricing card, price card, pricing plan, pricing tier, tier, pricing column, plan column
plan: membership card, pricing table, pricing option, membership plan, tier card
feature: feature card, feature, feature box, feature tile, feature block, feature item
product: related product, product card, related item, related card, related product card
lane: board column, lane, list column, kanban column, task column, kanban lane, swimlane
entry: entry, event, calendar entry, calendar event, event entry
day: day cell, calendar cell, date cell, calendar day, day
weekday: weekday heading, weekday, weekday label, weekday header, day name, weekday name, day heading, day header
card: card grid, grid of cards, row of cards, cards grid, list of cards, card row, cards row, set of cards
feature: feature grid, grid of features, features grid, features section, feature section, feature row, row of features
plan: row of plans, plans section, pricing section, pricing grid
stat: row of statistics, stats row, row of stats, statistics row
button: button, cta, cta button, call to action, call to action button, btn, action button, call-to-action
button: call-to-action button
submit: main one, save button, apply button, order button, submit button, main button, primary button, primary action
submit: primary cta, sign in button, login button, log in button
submit: signin button, send button, main call to action, main action button, buy button, main cta
secondbutton: secondary button, second button, outline button, outlined button, ghost button, cancel button
title: main heading, headline, main title, page title, h1, page heading, hero heading, hero title, hero headline
title: main headline, big heading, top heading, title of the page, heading of the page, heading at the top
subtitle: subtitle, tagline, subheading below the heading, sub headline, lead text, lead paragraph, hero text
subtitle: intro text
subtitle: subheadline, introduction, intro, intro paragraph, introductory paragraph, introductory text, subheader
subtitle: line below the heading, text below the heading, line under the heading, text under the heading
subtitle: paragraph below the heading, paragraph under the heading, hero paragraph, hero subtitle, lead
opening: opening paragraph, first paragraph, opening text, opening line, first lines
subtitle: explanation, hint below the heading, standfirst, introductory line, intro line, lede
heading: heading, heading text
title: title, heading 1
subheading: subheading, section heading, section title, h2, sub heading, section header, second level heading
subheading: secondary heading, panel heading, smaller heading
cardtitle: card title, card heading, card header, h3, tile title, card name, feature title, column heading, column title
name: name, title of the product, product name, product title, item name
cardtitle: column header, lane heading, lane title, plan name, feature heading, card headline, lane header, tier name
text: text, body text, paragraph, copy, body copy, paragraph text, main text, wording, font, typeface, type, typography
text: lettering, letter, word, sentence, character, description, caption, body font, page font, base font, text block
text: letters, main font, face, line of text, text line, small print
link: link, hyperlink, text link, anchor
brand: logo, brand, brand name, site name, logo text, site title, company name, brand text, wordmark, website name
brand: business name, name of the site, brand title
mark: logo mark, brand mark, logo icon, mark, logo symbol, logo square, logo circle
image: image, picture, photo, photograph, illustration, graphic, artwork, art, pic, hero image, main image, hero picture
image: hero illustration, lead picture, lead image, product picture, product image, product photo, main picture
image: hero graphic, decorative image, drawing, cover image, featured image, banner image, cover picture, hero photo
thumbnail: thumbnail, small picture, small image, thumb
gallery: gallery, image grid, photo grid, picture grid, gallery grid
icon: icon, glyph, symbol, feature icon, pictogram, emoji
avatar: avatar, profile picture, profile image, profile photo, initials circle, author picture, author image
avatar: author avatar, initials, avatar circle, user avatar, initial circle, initials avatar, round avatar
table: table, data table, table of items, item table, items table, grid of data, line items table
tablerow: table row, row in the table, row of the table, line item, item row
tablehead: table header, table head, table header row, header row, table heading, table headings
tablehead: header row of the table
tablehead: head of the table, head row, table headers
tablecolumn: table column, column of the table, column in the table
cell: table cell, cell
list: list, bullet list, bulleted list, feature list, unordered list, numbered list, ordered list
item: benefit, perk, list item, bullet, bullet point, item, list entry, point
form: form, input form, contact form, login form, sign in form, sign-in form, signup form, sign up form, signin form
form: form card, login card, sign in card, sign-in card, form panel, form box, login box, sign-in panel, form section
field: field, input, input field, text field, form field, text input, input box, textbox, text box, entry field
field: form input
textarea: textarea, text area, message box, message field, message area, multi line field, multiline field
textarea: multi-line field, multi-line text area, comment box, message textarea
select: dropdown, select, select box, drop down, dropdown menu, select menu, drop-down, picker
search: search, search box, search bar, search field, search input, search form
checkbox: checkbox, check box, tick box, tickbox, remember me, remember me checkbox, keep me signed in
checkbox: remember me box, remember me check box
radio: radio button, radio
label: label, field label, form label, input label
placeholder: placeholder, placeholder text, hint text
toggle: toggle, switches, toggle switch, on off switch, slider switch
badge: badge, tag, pill, chip, status badge, status tag, status pill, ribbon, status label, state tag, status chip
divider: divider, separator, line, horizontal line, horizontal rule, hr, rule, dividing line, separator line
divider: divider line
crumbs: breadcrumb, breadcrumb trail, breadcrumb navigation, breadcrumbs, breadcrumb links, breadcrumb line
notice: notice, announcement, notice strip, announcement bar, banner strip, notice bar, announcement strip, banner
notice: announcement banner, notification bar, notice banner, alert bar, promo bar, alert banner, info bar, notice band
notice: strip, coloured strip, promo strip, info banner, promo banner
warning: warning, warning box, danger zone, danger box, alert box, alert, warning panel, danger area, danger panel
warning: danger section
quote: block quote, quote, testimonial, pulled quote, pull quote, blockquote, customer quote, review
quote: testimonial section, quote block
quote: testimonials section, quotation, callout
price: price, price tag, cost, price text, price label
total: total, grand total, total row, total line, sum, total amount, totals, summary row, sum row, totals section
amount: amount
chart: chart, graph, bar chart, bar graph, diagram, plot, column chart
bar: bar in the chart, bar of the chart, chart bar, bar
calendar: calendar, calendar grid, month grid, month view, calendar view, month calendar
legend: legend, key, colour key, chart legend, calendar legend
board: board, kanban board, task board
byline: byline, author line, author name, author, author info, author byline
meta: metadata, date line, meta line
rating: rating, star, star rating
stepper: quantity selector, quantity field, quantity
filter: filter, filter button, filter chip, filter tag, category button, category filter
cover: cover, cover band, cover banner, coloured band
person: address, address panel, contact details, contact panel, contact info, address box, contact box
course: dish, dishes, course
particulars: row of particulars, particulars
next: next link, closing line, line at the end
swatch: skill, interest
size: size option, size button, size selector, size choice, size chip, choice of sizes, sizes, size picker
tab: tab, tab bar
pagination: pagination, pager, page number
question: question
faq: questions block, questions section, questions and answers, common questions, faq, faq section, common question
faq: common questions section, questions list, frequently asked questions, questions section, accordion, faqs
copyright: copyright, copyright notice, copyright line, copyright text
social: social link, social icon, social media link, social media icon
newsletter: newsletter, newsletter form, newsletter signup, newsletter section, newsletter sign up
map: map
video: video
closing: closing band, closing section, cta band, cta section, call to action section, call to action band, cta banner
closing: call-to-action section, call-to-action band, bottom call to action, cta block
details: detail, details table, specification, spec table, details list, specifications, specs
note: remark, boxed note, note below the table, note box
about: about section, about panel, biography, bio, about box
recent: recent work, activity list, recent activity, list of entries
suggestion: suggestion, suggestion card
invoice: sheet, invoice, bill, paper, invoice sheet, invoice card, invoice box
month: month, month name, month title, month heading
marked: today, marked day, current day, highlighted day, today cell, today's cell
forgot: forgot password link, forgotten password link, forgot password, forgotten password, lost password link
forgot: password reset link, forgot link
timeline: timeline
progress: progress bar
figure: number, big number, large number, number in the card, figure, statistic value, value
code: code, large code, error code, 404, status code, big code, error number, 404 number, 404 text, 404 code
profile: profile header, profile card, profile section
addbutton: add button
active: active link, active item, selected item, selected link, chosen link, current link, highlighted link, active tab
active: active menu item, current item, active nav link, active sidebar link, active entry, selected tab
highlighted: highlighted card, featured card, highlighted plan, featured plan, recommended plan, popular plan
highlighted: recommended card, emphasised card, highlighted tile, most popular plan, featured tile
highlighted: recommended tier, featured tier, highlighted one
"""

_PROPERTIES = """
background: background, background colour, bg, bg colour, fill, fill colour, backdrop, background fill, backgrounds
colour: colour, tint, hue, shade, tone
ink: text colour, font colour, colour of the text, foreground colour, label colour, foreground, letter colour
edge colour: border colour, outline colour, colour of the border
accent: accent, accent colour, primary colour, brand colour, main colour, highlight colour, theme colour, main accent
accent: accent hue, primary accent
theme: theme, colour scheme, scheme, colour theme, overall theme, palette, overall look, look, mode, colour mode
theme: overall style, colour palette, general look
width: width, horizontal size, wide
height: height, vertical size, high
font size: font size, text size, type size, size of the text, size of the font, font-size, letter size
size: size, scale
weight: font weight, weight, boldness, font-weight, text weight, stroke
family: font family, font-family, font style family, font face, font-face
radius: border radius, corner radius, radius, rounding, corner, border-radius, roundness, corner rounding, rounded edge
radius: curvature
edge: border width, border thickness, outline width
edge: border, outline, line around, edge, frame, stroke line, bordered edge
shadow: shadow, drop shadow, box shadow, elevation, box-shadow, dropshadow
padding: padding, inner spacing, internal padding, inner padding, space inside, inside padding, inner space, inset
gap: gap, gutter, distance
margin: margin, outer margin, top margin, space above, side margin, outer spacing
spacing: spacing, space, whitespace, white space, breathing room, room, empty space, negative space, air
line height: line height, line spacing, line-height, leading, spacing between lines, space between lines
letter spacing: letter spacing, letter-spacing, tracking, character spacing
opacity: opacity, transparency
columns: column, col
rows: row
alignment: alignment, text alignment, justification, text-align
position: position, location, placement
order: order
case: case, capitalisation, letter case
contrast: contrast
saturation: saturation, vividness, colourfulness, intensity
lightness: lightness, brightness, darkness
length: page length, page height, length, total height
content: text content, content text
decoration: text decoration
"""

_DIRECTIONS = """
towards red: redder, more red, more reddish
towards green: greener, more green, more greenish
towards blue: bluer, more blue, more bluish
towards yellow: yellower, more yellow, more yellowish
towards pink: pinker, more pink, more pinkish
towards purple: more purple, purpler
towards orange: more orange, warmer, warmer in colour
towards cyan: cooler, colder, cooler in colour
lightness +: lighter, brighter, paler, lighten, brighten, whiter
lightness -: darker, darken, deeper, dimmer, dim, blacker, darkened
saturation +: more saturated, more vivid, more colourful, more intense, more vibrant, stronger in colour, saturate
saturation +: bolder in colour, brighter in colour, more strongly coloured
saturation -: less saturated, more muted, less vivid, less colourful, duller, desaturate, greyer, more subdued
saturation -: less vibrant
saturation -: more desaturated, less intense
size +: larger, bigger, greater, enlarge, enlarged, upscale, grow, scale up, scaled up, huger
size -: smaller, shrink, reduced in size, scale down, scaled down, tinier, downscale
width +: wider, widen, broader, broaden, widened, stretch, extended, stretched
width -: narrower, narrow, slimmer, narrowed, less wide
height +: taller, heighten, deeper in height, less short
height -: shorter, less tall, flatter, shorten, shallower
length +: longer, lengthen
thick +: thicker, heavier, bolder, thicken
thick -: thinner, lighter weight, less bold, lighter in weight, lighter font weight, less heavy, slimmer stroke
radius +: more rounded, rounder, softer corners, more round, larger rounded corners, more curved, round more
radius -: less rounded, squarer, sharper, less round, boxier, more square, more angular, less curved
spacing +: loosen, more spacious, more airy, airier, looser, roomier, more spread out, more open, spread out
spacing +: more generous
spacing -: tighter, denser, more compact, tighten, less spacious, more condensed, more cramped, compact, more dense
spacing -: more tightly packed, tightened, packed tighter
gap +: further apart, farther apart, more widely spaced, spaced out, spaced further apart, more spaced out
gap +: spread further apart, spaced wider, set further apart
gap -: closer together, closer to each other, nearer together, more tightly spaced
up: higher, further up, higher up, up, upwards, farther up
down: lower down, further down, down, downwards, farther down
leftwards: further left, further to the left, more to the left, leftwards, farther left, leftward
rightwards: further right, further to the right, more to the right, rightwards, farther right, rightward
opacity +: more opaque, less transparent
opacity -: more transparent, less opaque, fainter
shadow +: stronger shadow, more shadow, heavier shadow, deeper shadow, larger shadow, more pronounced shadow
shadow -: softer shadow, less shadow, subtler shadow, weaker shadow, lighter shadow, more subtle shadow, fainter shadow
contrast +: more contrasting
+: double the number of, double, more, increase, raise, increased, additional, extra, another, one more, a further
+: increasing, boost, further
+: stronger, a second, a third, a fourth, a fifth, a sixth, bump up, upped, more of, even more
+: a few more, some more, raised
-: less, fewer, reduce, decrease, reduced, decreasing, weaker, cut down, decreased, fewer of, cut, lower, reducing
-: lessen
"""

_VALUES = """
weight bold: bold, boldface, bolded, in bold, bold weight, black weight, extra bold, semibold, semi-bold, embolden
weight normal: regular weight, normal weight, not bold, regular font weight, unbold, light weight, thin weight
slant italic: italic, italics, italicised, oblique, slanted, in italics, cursive, italicise, italicized, italicize
slant upright: upright, non-italic, roman style
decoration underline: underlined, underline, underlining, with an underline
decoration strike: struck through, strikethrough, line-through, crossed out
family serif: serif, serif font, serif typeface, serifs, serif family, times, georgia, times new roman, seriffed
family sans-serif: sans serif, sans-serif, sans, helvetica, arial, sans-serif font, sans serif font, inter, grotesque
family monospace: monospace, monospaced, mono, fixed-width, fixed width, courier, typewriter, console font
family monospace: terminal font
family monospace: code font, monospaced font, monospace font, mono font, coding font
case upper: uppercase, upper case, all caps, capitals, all-caps, capital letters, in caps, caps, uppercased, capitalised
case upper: block capitals, all capitals, all uppercase, all capital letters, upper-case, capitalise, capitalize
case upper: capitalized
case lower: lowercase, lower case, all lowercase, lower-case, small letters
case mixed: title case, sentence case, normal case, mixed case, regular case
alignment center: centred, centre-aligned, centre aligned, centered, horizontally centred, middle-aligned, centre
alignment center: centralised
alignment center: centre align, centrally aligned, in the centre, in the middle, centrally, centre-align, centring
alignment center: to the centre, at the centre, centrally placed, middle aligned, in the middle of the page
alignment left: left-aligned, left aligned, flush left, on the left margin, left-align, left align, aligned left
alignment left: aligned to the left
alignment left: left-justified, left justified, align left, aligned on the left
alignment right: right-aligned, right aligned, flush right, right-align, right align, aligned right
alignment right: aligned to the right
alignment right: right-justified, right justified, align right, aligned on the right
alignment justify: justified, fully justified
radius some: rounded, round, rounded corners, rounded corner, curved, rounded edges, with rounded corners, round corners
radius some: soft corners, rounding off, round off
radius pill: pill-shaped, pill shaped, fully rounded, capsule shaped, pill shape, fully round, capsule-shaped, pill-like
radius circle: circular, circle, round shape, perfect circle, circles, disc, discs
radius none: square corners, sharp corners, squared, unrounded, square-cornered, sharp-cornered, squared off
radius none: sharp edges
radius none: squared corners, right-angled corners, square edges, hard corners, angular, straight corners, square
edge some: bordered, outlined, framed, visible border, outline style
edge none: borderless, unbordered
edge dashed: dashed, dashed border, dashed line
edge dotted: dotted, dotted border
edge solid: solid border
edge left: bar on its left, coloured bar on its left, line on its left, border on its left, left border
edge left: border on the left, accent bar on the left, vertical line on the left, vertical bar on the left
edge left: left edge border, line on the left, bar on the left, coloured left border, left accent border
edge left: left-hand border, coloured bar on the left, coloured line on the left, coloured stripe on the left
edge left: stripe on the left, stripe on its left, bar along the left, line along the left, bar down the left
edge left: bar on their left, coloured bar on their left, bar at the left, coloured edge on the left
edge top: top border, border on top, line on top, line above it, border above it
edge bottom: bottom border, border at the bottom, underline border, border along the bottom, line at the bottom
edge bottom: line below it, line under it, border below it, border underneath, thin line at the bottom, bottom line
edge right: right border, border on the right
shadow some: shadowed, with a shadow, raised look, elevated
shadow hard: hard, hard shadow, solid shadow, hard offset shadow, offset shadow, hard drop shadow
shadow none: flat, shadowless
lightness dark: dark, dark mode, darkish, dark-mode, night mode, dark themed, dark-themed
lightness light: light, light mode, pale, bright, light-coloured, pastel, light-mode, light themed, light-themed
width full: full width, full-width, edge to edge, edge-to-edge, whole width, entire width, full-bleed, full page width
width full: across the whole page, the full width, across the full width, full bleed, span the page, across the page
width full: full width of its container, full screen width, stretched across, span the full width
arrangement row: side by side, in a row, horizontal, horizontally, in one row, in a single row, next to each other
arrangement row: on one line, beside each other, in a line, on the same line, in a horizontal row, one row, single row
arrangement row: on a single line, on the same row
arrangement column: stack, stacked, vertical, vertically, one above the other, in a column, stacked vertically
arrangement column: on top of each other
arrangement column: one below the other, underneath each other, in a vertical list, in a single column, below each other
arrangement column: in one column, one under another, in a vertical stack, vertical list
arrangement grid: in a grid, grid layout, as a grid, grid
transparency clear: transparent, see-through
fill filled: filled, solid, filled in, solid fill, coloured, colored, tinted, shaded, own background
fill plain: unfilled, hollow, uncoloured
gradient some: gradient, gradient background, background gradient
stripes some: striped, zebra striping, zebra striped, alternating, zebra stripes, zebra-striped, stripes, striping
saturation vivid: vivid, saturated, vibrant, colourful
saturation grey: muted, desaturated, monochrome, black and white, colourless
wrapped some: inside a card, in a card, on a card, in a box, inside a box, inside a panel, in a panel, boxed, on a panel
wrapped some: in a white card, inside a white card, in a bordered box, in cards, as cards, in boxes, as a card
wrapped some: in a frame
wrapped some: on cards, inside cards, enclosed in a card, wrapped in a card, placed in a card, put in a card
sticky some: sticky, fixed
list numbered: numbered
list bulleted: bulleted
highlight some: highlighted, emphasised, emphasized, stand out, featured
size large: large, big, huge, tall
size small: small, tiny, little
"""

_COLOURS = (
    "white black grey red orange yellow green teal blue purple pink brown navy maroon cream beige ivory charcoal "
    "turquoise cyan aqua mint lavender gold amber coral salmon crimson magenta indigo violet olive tan lime "
    "burgundy silver peach lilac plum mustard khaki sand slate rust off-white greenish bluish reddish yellowish "
    "pinkish purplish greyish brownish orangey orangish rose azure fuchsia emerald blush wine terracotta copper "
    "bronze sage"
).split()

_PLACES = """
above: above, on top of, before, directly above, atop, ahead of, higher than
below: below, under, beneath, underneath, after, directly below, directly under, lower than
left of: in front of, left of, to the left of, on the left of, on the left side of, at the left of, to the left side of
right of: right of, to the right of, on the right of, on the right side of, at the right of, to the right side of
beside: next to, beside, alongside, adjacent to, on the same line as, on the same row as, level with
top left: top left, top-left, upper left, top left corner, top-left corner, upper left corner, upper-left corner
top right: top right, top-right, upper right, top right corner, top-right corner, upper right corner, upper-right corner
top right: upper-right
bottom left: bottom left, bottom-left, lower left, bottom left corner, bottom-left corner, lower left corner
bottom right: bottom right, bottom-right, lower right, bottom right corner, bottom-right corner, lower right corner
left: on the left, left, left side, left-hand side, to the left, left hand side, left edge, leftmost, at the left
left: at the left edge, on the left edge, to the left edge
left: on the left side, on the left-hand side, to the left side, on the left hand side, far left, left-hand
right: on the right, right, right side, right-hand side, to the right, right hand side, right edge, rightmost
right: at the right, at the right edge, on the right edge, to the right edge, on the right side
right: on the right-hand side, to the right side, on the right hand side, far right
right: right-hand
top: at the top edge, top, at the top, to the top, very top, at the very top, on top, first thing, upper part, top edge
bottom: at the bottom edge, bottom, at the bottom, to the bottom, very bottom, at the very bottom, bottom edge
bottom: lower part, end
"""

_VERBS = """
add: add, include, insert, introduce, put in, create, contain, show, display, feature, adding, including, provide
add: place a
add: need, missing, miss, lack, lacking, bring in, append, attach, append, there be, there is, there are, be there
remove: remove, delete, drop, get rid of, getting rid of, omit, take out, take away, leave out, hide, eliminate
remove: removing, take off, do without, go without, away, be without, lose
remove: removed, leave off, do away with, delete the, lose, dropped, discard, clear away, deleted, hidden, scrap
keep: keep, leave, retain, stay, remain, preserve, kept, maintain, keeping, left, stick with, leaving, hold on to
keep: stays, staying, staying as, remains
change: change, alter, modify, adjust, different, differently, changed, differ, adjusting, vary, tweak, update
change: altered, edit
swap: swap, exchange, switch places, swap places, interchange, reversed, reverse, in reverse order, switch the order
move: move, shift, relocate, reposition, moved, shifted, push, placed, place, positioned, put, sit, located, appear
move: moving, aligned, align, position, positioned, bring, pushed, pull, sits, placing, anchored, docked
text: read, say, reading, saying, reads, says, labelled, labeled, titled, worded, rename, relabel, called, named
text: entitled
text: reworded, renamed, relabelled, captioned, retitle, reword, state, written, write, spell, mention, relabeled
have: have, has, use, using, get, with, having, give, given, carry, own, uses, bear, gets, having a, wear, come with
set: make, set, turn, be, is, are, become, was, made, making, style, styled, paint, render, rendered, convert, apply
set: switch, switched
set: replace, do, does, look, appear as, colour in, coloured in, recolour, go, try, stretch to, span, format, restyle
set: painted, drawn, repaint, shown, displayed, set in, presented, arranged, arrange, lay out, laid out, split, divide
set: come, comes, follows, draw, stand, stands, standing, float, floating, start, started, starts, starting, lay, laid
set: take, used, say that
set: fill with, spread, step, sets, choose, list, treat
set: divided, split into, put into, turned, looks, consist of, group, organise, organize, fill, take up, occupy, done
set: formatted, exist, break, broken, wrap, rest, follow, followed, start with, begin with, begin, end with, start
"""

_FRAME = """
should: should, shall, must, ought
i: i, we, me, us
mine: my, mine, our, my page, my version, current, currently, my draft, my current
target: target, target's, targets, the target page, reference, original, the target design, goal, target page
than: than
as: as
of number: number of, amount of, count of, how many
same: same, equal, identical, matching, equally, same as, match, matches, alike, equals
there: there
not alone: only, exactly, just, precisely
at least: at least, no fewer than, no less than, not fewer than, not less than, a minimum of
at most: at most, no more than, not more than, up to, a maximum of
over: more than
under: fewer than, less than
others: other, others, rest
too: too
between: between, in between
and: and, but, also, plus, as well as, together with, along with, and also
or: or, either, and/or, nor
instead: instead of, rather than, in place of, not just, such as, for example, instead of having
close: closer to, close to, near to, nearer to
each: each, every, all, all of, all the, both, any, both of
one of: one of, some of
to: to, into
in: in, inside, within, onto, at, on, across, among, throughout, next
of: of, for, from, off, belonging to
negation: not, no, without, never, avoid, n't, don't, doesn't, isn't, aren't, shouldn't, none, zero, nothing, un, stop
unchanged: as it is, as is, as they are, unchanged, as-is, the way it is, as it stands, untouched, where it is
unchanged: as they stand
unchanged: the way they are, where they are, at its current size, at its current position, as it is now, as they are now
unchanged: exactly as it is, exactly as they are, just as it is, in place
"""

_SKIP = (
    "the a an it its it's they them their this that these those one ones compared comparison please still then so "
    "now bit slightly little lot much somewhat noticeably significantly considerably clearly quite very rather "
    "really even some way own itself themselves which who can could would will do does did am is are be been being "
    "by if when while yet visually appearance approximately about around roughly thin thick kind type sort style "
    "set both up out back here actually almost nearly everywhere throughout over closer nearer together alone "
    "perhaps maybe well instead again entirely completely fully simple single overall visible used using per such "
    "like px pixels pixel percent current version piece pair plain actual whole entire different-looking exact new "
    "itself's something ends twice available right-now present coloured colored element elements "
    "component components thing things "
    "item's ones' set-up fairly more-or-less clear distinct separate proper basically simply far also hi ok okay "
    "hello too item"
).split()

_NUMBERS = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split(),
        range(17),
        strict=True,
    )
) | {"single": 1, "triple": 3, "couple": 2, "dozen": 12}
_NUMBER = rf"(?:\d+|{'|'.join(_NUMBERS)})"
_ORDINALS = {
    "middle": 1000,
    "central": 1000,
    "first": 0,
    "second": 1,
    "third": 2,
    "fourth": 3,
    "fifth": 4,
    "sixth": 5,
    "seventh": 6,
    "eighth": 7,
    "last": -1,
    "final": -1,
    "topmost": 0,
    "leftmost": 0,
    "rightmost": -1,
    "lowest": -1,
    "uppermost": 0,
}


def _bound(match: re.Match[str]) -> str:
    """Turn "three or more" into "at least three"."""
    number = match[1]
    if number not in _NUMBERS and not number.isdigit():
        return match[0]
    return f"{'at least' if match[2] == 'more' else 'at most'} {number}"


_SPELLING: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\bcolor", "colour"),
    (r"\bcenter", "centre"),
    (r"\bgray", "grey"),
    (r"\bcapitaliz", "capitalis"),
    (r"\bitaliciz", "italicis"),
    (r"\bemphasiz", "emphasis"),
    (r"\bcentrali[sz]ed", "centralised"),
    (r"\u2019", "'"),
    (r"\bcentering", "centring"),
    (r"(?<=\w\ws)'(?=\s)", ""),
    (r"\b(is|are|do|does|should|did|was|has|have|must|need|could|would)n't\b", r"\1 not"),
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"(\d)\s*(?:px|pixels?)\b", r"\1px"),
    (r"(\d)\s+%", r"\1%"),
    (r"\b(\w+) or (more|fewer|less)\b(?! \w+ than)", _bound),
    (rf"\b(have|has|use|uses|show|shows|contain|contains|there|are) over (?={_NUMBER}\b)", r"\1 more than "),
    (rf"\b(have|has|use|uses|show|shows|contain|contains|there|are) under (?={_NUMBER}\b)", r"\1 fewer than "),
    (r"\bpure black\b", "#000000"),
    (r"\bpure white\b", "#ffffff"),
    (r"\bpure (?=\w)", ""),
    (r"\bbutton's\b", "button"),
    (r"(?<=[a-z])'s\b", "'s"),
    (r"\b(\d)(?:-| )col(?:umn)?s?\b", r"\1 column"),
    (r"\b(one|two|three|four|five|six|single)-(column|row|line)", r"\1 \2"),
    (r"\bdrop-shadow", "drop shadow"),
    (r"\b(\w+)-colou?red\b", r"\1"),
    (r"\bsign-(in|up|out)\b", r"sign \1"),
    (r"\blog-(in|out)\b", r"log \1"),
)
_QUOTED = re.compile(r"[\"\u201c\u201d\u00ab\u00bb]([^\"\u201c\u201d\u00ab\u00bb]{1,200})[\"\u201c\u201d\u00ab\u00bb]")
_SINGLY = re.compile(r"(?<![\w])['\u2018`]([^'\u2018`\n]{0,120}?(?:\w'\w[^'\u2018`\n]{0,120}?)*)['\u2019`](?![\w])")
_TOKEN = re.compile(
    r"\x00\d+\x00|#[0-9a-f]{3,8}\b|rgba?\([\d\s.,%]+\)|\d+(?:\.\d+)?(?:px|rem|em|pt|%)|\d+(?:\.\d+)?|[^\W\d_]+(?:[-'/][^\W\d_]+)*"
    r"|[,;:?!]|[^\s]"
)
LONGEST = 7
_LIMITS = frozenset(["over", "under", "at most"])
"""Phrases that bound a number, and mean something else where none follows."""
_LIMITED = _LIMITS | {"at least", "not alone"}
_DETERMINERS = frozenset("a an the my another each every extra".split()) | {
    "a second",
    "a third",
    "a fourth",
    "a fifth",
}


def plain(text: str) -> str:
    """Lower case, British spelling, straight apostrophes.

    >>> plain("Isn\u2019t the Color gray?")
    'is not the colour grey?'
    """
    text = text.lower().replace("\u2019", "'").replace("\u2011", "-")
    for pattern, by in _SPELLING:
        text = re.sub(pattern, by, text)
    return text


def _phrases(table: str) -> Iterator[tuple[str, str]]:
    for line in table.strip().splitlines():
        meaning, _, phrases = line.partition(": ")
        for phrase in phrases.split(", "):
            yield meaning, phrase.strip()


@functools.cache
def lexicon() -> dict[tuple[str, ...], Unit]:
    """All phrases, as tuples of words."""
    found: dict[tuple[str, ...], Unit] = {(word,): Unit("skip", None, word) for word in _SKIP}
    tables = (
        ("verb", _VERBS), ("place", _PLACES), ("value", _VALUES), ("direction", _DIRECTIONS),
        ("property", _PROPERTIES), ("subject", _SUBJECTS), ("", _FRAME),
    )  # fmt: skip
    for kind, table in tables:
        for meaning, phrase in _phrases(table):
            value: Any = tuple(meaning.rsplit(" ", 1)) if kind == "value" else meaning
            unit = Unit(kind or meaning, value, phrase)
            found[tuple(_TOKEN.findall(plain(phrase)))] = unit
    for word, number in _NUMBERS.items():
        found[(word,)] = Unit("number", number, word)
    for word, place in _ORDINALS.items():
        found[(word,)] = Unit("ordinal", place, word)
    for name in _COLOURS:
        found[(name,)] = Unit("value", ("colour", name), name)
    return found


def read_units(question: str) -> list[Unit]:
    """The units of a question, with words that mean nothing here as ``word``.

    >>> [(unit.kind, unit.meaning) for unit in read_units("darker cards, 16px")]
    [('direction', 'lightness -'), ('subject', 'card'), ('comma', None), ('length', 16.0)]
    """
    quotes: list[str] = []

    def hide(match: re.Match[str]) -> str:
        quotes.append(match[1].strip())
        return f" \x00{len(quotes) - 1}\x00 "

    text = _SINGLY.sub(hide, _QUOTED.sub(hide, question))
    tokens = [part for token in _TOKEN.findall(plain(text)) for part in _split(token)]
    units: list[Unit] = []
    at = 0
    while at < len(tokens):
        size, unit = _longest(tokens, at, quotes)
        units.append(unit)
        at += size
    return [_in_context(units, at) for at in range(len(units))]


def _in_context(units: list[Unit], at: int) -> Unit:
    """A unit with the meaning that the units beside it give it."""
    unit = units[at]
    before = units[at - 1] if at else Unit("stop", None, "")
    rest = [after for after in units[at + 1 :] if after.kind != "stop"]
    if unit.text == "one":
        # "The one on the left" is no number; "one column" and "more than one" are.
        counted = (rest and rest[0].meaning in ("columns", "rows", "+", "-")) or before.kind in _LIMITED
        return unit if counted else unit._replace(kind="skip")
    if unit.text == "switch" and (before.kind in ("ordinal", "number", "each", "value") or before.text in _DETERMINERS):
        return Unit("subject", "toggle", unit.text)
    if unit.text in ("on", "off") and (not rest or before.text in ("turn", "switch", "turned", "switched")):
        return Unit("value", ("state", unit.text), unit.text)
    return unit


def _split(token: str) -> list[str]:
    """A possessive as two tokens, and a joined word that is not known as its parts."""
    if token.endswith("'s") and len(token) > 2:
        return [token[:-2], "'s"]
    if "-" in token and (token,) not in lexicon() and len(token) > 1:
        return [part for part in token.split("-") if part]
    return [token]


def _longest(tokens: list[str], at: int, quotes: list[str]) -> tuple[int, Unit]:
    for size in range(min(LONGEST, len(tokens) - at), 0, -1):
        phrase = tuple(tokens[at : at + size])
        unit = lexicon().get(phrase)
        if unit is not None and not (unit.kind in _LIMITS and not _counts(tokens[at + size : at + size + 1])):
            return size, unit._replace(text=" ".join(phrase))
        single = _singular(phrase[-1])
        if single:
            unit = lexicon().get((*phrase[:-1], single))
            if unit is not None and unit.kind in ("subject", "property", "value"):
                return size, unit._replace(text=" ".join(phrase), plural=True)
    return 1, _other(tokens[at], quotes)


def _counts(following: list[str]) -> bool:
    """Whether what follows is a number, so that "more than" bounds it."""
    return bool(following) and (following[0] in _NUMBERS or following[0][0].isdigit())


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return ""
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("xes", "ches", "sses")) else word[:-1]


def _other(token: str, quotes: list[str]) -> Unit:
    if token.startswith("\x00"):
        quote = quotes[int(token.strip("\x00"))]
        if re.fullmatch(r"#[0-9a-fA-F]{3,8}", quote):
            return Unit("value", ("colour", quote.lower()), quote)
        return Unit("quote", quote, quote)
    if token.startswith(("#", "rgb")):
        return Unit("value", ("colour", token), token)
    if token in (",", ";", ":"):
        return Unit("comma", None, token)
    if token in ("?", "!", ".", "(", ")"):
        return Unit("stop", None, token)
    if token == "'s":  # noqa: S105, a token of language
        return Unit("possessive", None, token)
    number = re.fullmatch(r"(\d+(?:\.\d+)?)(px|rem|em|pt|%)?", token)
    if number is not None:
        value = float(number[1])
        if number[2] is None:
            return Unit("number", value, token)
        scale = {"px": 1.0, "rem": 16.0, "em": 16.0, "pt": 4 / 3, "%": -0.01}[number[2]]
        return Unit("length", value * scale, token)
    return Unit("word", token, token)
