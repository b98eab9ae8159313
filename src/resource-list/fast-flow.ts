import { readQuoted } from './fast-scalar.ts'
import { MAX_DEPTH } from './limits.ts'
import type { Entry, MapNode, Node, ScalarNode, SequenceItem, SequenceNode } from './node.ts'
import { MAX_KEY, refuse, type TextCursor } from './text-cursor.ts'

/** A plain scalar inside `{}` or `[]`: a cautious alphabet, in which no reader sees an indicator. */
const PLAIN = /[A-Za-z0-9_./$<=~^()\\][A-Za-z0-9_./$<=>~^()\\+*@%!|-]*(?: [A-Za-z0-9_./$<=>~^()\\+*@%!|-]+)*/y
const NUMBER = /-[0-9][0-9.]*/y
const GAP = / */y

/** A flow collection on one line; the cursor stands behind its bracket. */
export function readFlow(at: TextCursor, depth: number): MapNode | SequenceNode {
  if (depth >= MAX_DEPTH) refuse()
  return at.char() === '{' ? readFlowMap(at, depth + 1) : readFlowSequence(at, depth + 1)
}

function readFlowMap(at: TextCursor, depth: number): MapNode {
  const start = at.offset
  const entries: Entry[] = []
  const seen = new Set<string>()
  readMembers(at, '}', () => {
    const entry = readEntry(at, depth)
    if (seen.has(entry.key.text)) refuse()
    seen.add(entry.key.text)
    entries.push(entry)
  })
  return { type: 'map', flow: true, entries, start, end: at.offset }
}

function readFlowSequence(at: TextCursor, depth: number): SequenceNode {
  const start = at.offset
  const items: SequenceItem[] = []
  readMembers(at, ']', () => {
    items.push({ dash: at.offset, value: readMember(at, depth) })
    skip(at, GAP)
    if (at.char() === ':') refuse()
  })
  return { type: 'sequence', flow: true, items, start, end: at.offset }
}

/** What stands between the brackets, separated by commas; one comma more at the end is allowed. */
function readMembers(at: TextCursor, close: string, readOne: () => void): void {
  at.offset++
  skip(at, GAP)
  while (at.char() !== close) {
    readOne()
    skip(at, GAP)
    if (at.char() === ',') at.offset++
    else if (at.char() !== close) refuse()
    skip(at, GAP)
  }
  at.offset++
}

function readEntry(at: TextCursor, depth: number): Entry {
  const key = readScalar(at)
  if (at.char() !== ':' || at.code(1) !== 32 || key.text === '<<' || key.end - key.start > MAX_KEY) refuse()
  at.offset++
  skip(at, GAP)
  return { key, value: readMember(at, depth) }
}

function readMember(at: TextCursor, depth: number): Node {
  return at.char() === '{' || at.char() === '[' ? readFlow(at, depth) : readScalar(at)
}

function readScalar(at: TextCursor): ScalarNode {
  if (at.char() === '"' || at.char() === "'") return readQuoted(at)
  const start = at.offset
  if (!skip(at, at.char() === '-' ? NUMBER : PLAIN)) refuse()
  return { type: 'scalar', style: 'plain', text: at.text.slice(start, at.offset), start, end: at.offset }
}

/** Passes what the pattern matches here. */
function skip(at: TextCursor, pattern: RegExp): boolean {
  pattern.lastIndex = at.offset
  const found = pattern.exec(at.text)
  at.offset += found?.[0].length ?? 0
  return found !== null
}
