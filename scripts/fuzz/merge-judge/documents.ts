import { Lexer, parseDocument } from 'yaml'
import { asRecord, isRecord, type JsonValue, memberOf, scalarText } from '../../../src/json.ts'

/** One document of a file, as the judge reads it: with the `yaml` package, which reads nothing for the merge. */
export interface JudgedDocument {
  readonly text: string
  readonly value: JsonValue
  /** Group, kind, namespace and name: what makes two documents of one file the same resource. A merge comment comes first. */
  readonly identity: string
  readonly kind: string
  readonly name: string
  readonly comments: readonly JudgedComment[]
  readonly hasAlias: boolean
}

export interface JudgedComment {
  readonly text: string
  /** The key of the document's own map in whose lines the comment is. */
  readonly key: string
}

const known = new Map<string, readonly JudgedDocument[]>()

/** Returns true for a file whose documents are merged one by one. */
export function holdsResources(path: string): boolean {
  return /(^|\/)Kptfile$|\.ya?ml$/.test(path)
}

/** Returns the documents of a file that hold anything. */
export function documentsIn(text: string | undefined): readonly JudgedDocument[] {
  if (text === undefined) return []
  const before = known.get(text)
  if (before !== undefined) return before
  const documents = text
    .split(/^---[^\n]*\n/m)
    .filter((part) => /^[^#\s]/m.test(part))
    .map(readDocument)
  if (known.size > MOST_KNOWN) known.clear()
  known.set(text, documents)
  return documents
}

/** The sides of a case and its mutants share most of their texts. */
const MOST_KNOWN = 2000

function readDocument(text: string): JudgedDocument {
  const document = parseDocument(text, { version: '1.2', intAsBigInt: true, uniqueKeys: false, logLevel: 'silent' })
  const value = withoutIdentifier(document.toJS({ maxAliasCount: -1 }) as JsonValue)
  const metadata = memberOf(value, 'metadata')
  const [, space, called] = /^metadata:[ \t]+#\s*kpt-merge:\s*([^/\n]*)\/(\S*)/m.exec(text) ?? []
  const kind = scalarText(memberOf(value, 'kind'))
  const apiVersion = scalarText(memberOf(value, 'apiVersion'))
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
  const name = scalarText(memberOf(metadata, 'name'))
  const namespace = scalarText(memberOf(metadata, 'namespace'))
  const identity = JSON.stringify([group, kind, space ?? namespace, called ?? name])
  return { text, value, identity, kind, name, comments: commentsIn(text), hasAlias: /(^|\s)\*\w|<</m.test(text) }
}

const IDENTIFIER = 'internal.kpt.dev/upstream-identifier'

/** Returns the value without the annotation that a clone writes on every resource. */
function withoutIdentifier(value: JsonValue): JsonValue {
  const annotations = memberOf(memberOf(value, 'metadata'), 'annotations')
  if (!isRecord(value) || !isRecord(annotations) || !Object.hasOwn(annotations, IDENTIFIER)) return value
  const { [IDENTIFIER]: _, ...others } = annotations
  const { annotations: __, ...metadata } = asRecord(value.metadata)
  return { ...value, metadata: Object.keys(others).length === 0 ? metadata : { ...metadata, annotations: others } }
}

/** The mark that the lexer puts before a scalar: the token behind the mark is no comment, whatever it begins with. */
const SCALAR = '\u001f'

/** The tokens that are no part of the text. */
const MARKS = ['\u0002', '\u0018', SCALAR]

function commentsIn(text: string): readonly JudgedComment[] {
  if (!text.includes('#')) return []
  const comments: JudgedComment[] = []
  let [at, previous] = [0, '']
  for (const token of new Lexer().lex(text)) {
    if (token.startsWith('#') && previous !== SCALAR && !/^#\s*kpt-merge:/.test(token))
      comments.push({ text: token.trimEnd(), key: keyAt(text, at) })
    if (!MARKS.includes(token)) at += token.length
    previous = token
  }
  return comments
}

/** Returns the key of column 0 to whose lines an offset belongs: the next one for a comment in column 0, else the one before. */
function keyAt(text: string, offset: number): string {
  const inColumn0 = offset === 0 || text[offset - 1] === '\n'
  const keys = [...text.matchAll(/^["']?([^\s#'":-][^\s'":]*)["']?\s*:/gm)]
  const found = inColumn0 ? keys.find(({ index }) => index > offset) : keys.findLast(({ index }) => index < offset)
  return found?.[1] ?? ''
}
