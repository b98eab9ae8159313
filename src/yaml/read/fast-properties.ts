import type { AliasNode, Properties } from './node.ts'
import { refuse, type TextCursor } from './text-cursor.ts'

const AMPERSAND = 38
const ASTERISK = 42
const EXCLAMATION_MARK = 33

/** An anchor and a tag, each at most once, with a blank behind them. Tags in full, with a handle of their own, or of `!` alone are left. */
const PROPERTIES =
  /(?:&([A-Za-z0-9_-]+)(?: +!(!?)([A-Za-z][A-Za-z0-9_-]*))?|!(!?)([A-Za-z][A-Za-z0-9_-]*)(?: +&([A-Za-z0-9_-]+))?)(?=[ \r\n]|$)/y
const ALIAS = /\*([A-Za-z0-9_-]+)(?=[ \r\n]|$)/y

/** What `!!` stands for. */
const YAML_TAGS = 'tag:yaml.org,2002:'

/** Whether a value with an anchor or a tag begins here. */
export function isProperty(code: number): boolean {
  return code === AMPERSAND || code === EXCLAMATION_MARK
}

export function isAlias(code: number): boolean {
  return code === ASTERISK
}

/** The properties of a value; the cursor stands behind them. */
export function readProperties(at: TextCursor): Properties {
  PROPERTIES.lastIndex = at.offset
  const [all, before, second, secondName, first, firstName, behind] = PROPERTIES.exec(at.text) ?? refuse()
  const [anchor, name] = [before ?? behind, secondName ?? firstName]
  at.offset += all.length
  const handle = (second ?? first) === '!' ? YAML_TAGS : '!'
  return { ...(anchor !== undefined && { anchor }), ...(name !== undefined && { tag: `${handle}${name}` }) }
}

/** An alias; the cursor stands behind it. */
export function readAlias(at: TextCursor): AliasNode {
  ALIAS.lastIndex = at.offset
  const start = at.offset
  const [all, anchor = ''] = ALIAS.exec(at.text) ?? refuse()
  at.offset += all.length
  return { type: 'alias', anchor, start, end: at.offset }
}
