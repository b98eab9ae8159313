import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import type { RenderOrder, Texts } from '../render-folder.ts'

/** One clone that a real tool made. */
export interface CloneVector {
  readonly flavour: RenderOrder['clone']
  readonly upstream: Texts
  readonly order: RenderOrder
  /** The files that the tool left, or its error. */
  readonly expected: Texts | { readonly error: string }
}

/** Each case twice, as kpt and as Porch cloned it. */
export function readClones(file: JsonValue): readonly JsonRecord[] {
  if (!Array.isArray(file)) throw new Error('a file of clones must be a list')
  return file
    .filter(isRecord)
    .flatMap((vector) =>
      (['kpt', 'porch'] as const).map((flavour) => ({ ...vector, name: `${String(vector.name)} as ${flavour}`, flavour })),
    )
}

/** @throws Error  when the vector has another form */
export function readClone(vector: JsonRecord): CloneVector {
  const input = recordIn(vector, 'input')
  const { repo = '', directory = '', ref = '', resolvedRef = ref, commit } = textsIn(input, 'upstreamRef')
  const { package: packageName = '' } = textsIn(input, 'downstream')
  const flavour = vector.flavour === 'porch' ? 'porch' : 'kpt'
  const upstream = textsIn(input, 'upstream')
  const revision = { files: upstream, ref, resolvedRef, ...(commit !== undefined && { commit }) }
  return {
    flavour,
    upstream,
    order: { clone: flavour, updateStrategy: 'resource-merge', repo, directory, revisions: [revision], wanted: ref, packageName },
    expected: flavour === 'porch' ? textsIn(vector, 'expectedPorch') : newestKpt(vector),
  }
}

/** Where a newer kpt wrote another file without `--for-deployment`, that is the judge (docs/package-lifecycle.md 12). */
function newestKpt(vector: JsonRecord): Texts {
  const [plain, head] = ['expectedKptPlainGet', 'expectedKptHeadPlainGet'].map((key) => vector[key])
  const expected = textsIn(vector, 'expectedKpt')
  if (!isRecord(plain) || !isRecord(head)) return expected
  const newer = Object.entries(textsIn(vector, 'expectedKptHeadPlainGet')).filter(
    ([path, text]) => path in expected && plain[path] !== text,
  )
  return { ...expected, ...Object.fromEntries(newer) }
}

function recordIn(record: JsonRecord, key: string): JsonRecord {
  const value = lookup(record, key)
  if (!isRecord(value)) throw new Error(`'${key}' must be a map`)
  return value
}

function textsIn(record: JsonRecord, key: string): Texts {
  return Object.fromEntries(Object.entries(recordIn(record, key)).map(([name, value]) => [name, String(value)]))
}
