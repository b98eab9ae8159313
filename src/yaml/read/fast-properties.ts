import type { AliasNode, Properties } from './node.ts'
import { refuse, type TextCursor } from './text-cursor.ts'

const AMPERSAND = 38
const ASTERISK = 42
const EXCLAMATION_MARK = 33

/**
 * Matches an anchor and a tag, each at most once, with a blank after them. Does not match verbatim tags, tags with a named handle, and
 * the tag `!` alone.
 */
const PROPERTIES =
  /(?:&([A-Za-z0-9_-]+)(?: +!(!?)([A-Za-z][A-Za-z0-9_-]*))?|!(!?)([A-Za-z][A-Za-z0-9_-]*)(?: +&([A-Za-z0-9_-]+))?)(?=[ \r\n]|$)/y
const ALIAS = /\*([A-Za-z0-9_-]+)(?=[ \r\n]|$)/y

/** The prefix that `!!` abbreviates. */
const YAML_TAGS = 'tag:yaml.org,2002:'

/** Returns true for the first character of an anchor or tag. */
export function isProperty(code: number): boolean {
  return code === AMPERSAND || code === EXCLAMATION_MARK
}

export function isAlias(code: number): boolean {
  return code === ASTERISK
}

/** Reads the anchor and tag of a value, and moves the cursor after them. */
export function readProperties(at: TextCursor): Properties {
  PROPERTIES.lastIndex = at.offset
  const [all, before, second, secondName, first, firstName, behind] = PROPERTIES.exec(at.text) ?? refuse()
  const [anchor, name] = [before ?? behind, secondName ?? firstName]
  at.offset += all.length
  const handle = (second ?? first) === '!' ? YAML_TAGS : '!'
  return { ...(anchor !== undefined && { anchor }), ...(name !== undefined && { tag: `${handle}${name}` }) }
}

/** Reads an alias, and moves the cursor after it. */
export function readAlias(at: TextCursor): AliasNode {
  ALIAS.lastIndex = at.offset
  const start = at.offset
  const [all, anchor = ''] = ALIAS.exec(at.text) ?? refuse()
  at.offset += all.length
  return { type: 'alias', anchor, start, end: at.offset }
}
