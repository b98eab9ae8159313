import { createHash } from 'node:crypto'
import { printable, printableText, TURNS_TEXT } from '../../src/printable.ts'

/** The parts of a page. */
export interface PageParts {
  /** The data of the script, as JSON. */
  readonly data: object
  /** The content of the body, without anything that a user wrote. */
  readonly body: string
  readonly script: string
  readonly style: string
}

/** Returns a policy that allows this script and this style, and no network at all (CSP level 3). */
function policyFor({ script, style }: PageParts): string {
  return [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** Keys of texts of several lines; all other texts are shown in one line. */
const TEXTS: ReadonlySet<string> = new Set(['before', 'after'])

/** Returns a value of the data as JSON holds it: texts that no reader sees reordered, and integers of any length. */
function shown(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') return value
  return TEXTS.has(key) ? printableText(value) : printable(value)
}

/** After `shown` only the keys of objects of users have such marks. */
const TURNING_MARKS = new RegExp(TURNS_TEXT, 'g')

/** Returns a character as a JSON text that is its escape for a reader: `\u202e`. */
function escapedInJson(character: string): string {
  return `\\\\u${character.charCodeAt(0).toString(16)}`
}

/**
 * Returns one HTML file without references to others. The data is text that no browser reads as HTML and no reader sees reordered, whatever
 * users wrote.
 */
export function pageHtml(parts: PageParts): string {
  const { data, body, script, style } = parts
  const json = JSON.stringify(data, shown).replaceAll('<', '\\u003c').replaceAll(TURNING_MARKS, escapedInJson)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(parts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>krm-variants</title>
<style id="__________cytoscape_stylesheet">${style}</style>
</head>
<body>
${body}<script type="application/json" id="data">${json}</script>
<script>${script}</script>
</body>
</html>
`
}
