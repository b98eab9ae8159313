import { isRecord, type JsonRecord, type JsonValue, lookup } from '../../../src/json.ts'
import type { PackageFiles } from '../../../src/merge/package-files.ts'
import { readWholePackage } from '../../../src/package/read-whole-package.ts'
import type { WholeFile, WholeFolder } from '../../../src/package/whole-folder.ts'
import type { CloneFlavour } from '../../../src/render/options.ts'
import type { CloneDownstream } from '../../../src/render/package/clone-package.ts'
/** Files by path. */
export type Texts = Readonly<Record<string, string>>

/** One clone that a real tool made. */
export interface CloneVector {
  readonly flavour: CloneFlavour
  readonly upstream: Texts
  readonly downstream: CloneDownstream
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
  const ref = textsIn(input, 'upstreamRef')
  const { package: name = '', packagePath = '' } = textsIn(input, 'downstream')
  const origin = { repo: ref.repo ?? '', directory: ref.directory ?? '', ref: ref.ref ?? '', resolvedRef: ref.resolvedRef ?? '' }
  const flavour = vector.flavour === 'porch' ? 'porch' : 'kpt'
  return {
    flavour,
    upstream: textsIn(input, 'upstream'),
    downstream: {
      name,
      packagePath,
      origin: { ...origin, ...(ref.commit !== undefined && { commit: ref.commit }) },
      updateStrategy: 'resource-merge',
    },
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

/** The package as a folder of these texts. */
export function packageOf(texts: Texts, flavour: CloneFlavour): PackageFiles {
  return readWholePackage(folderOf(texts), { krmignore: flavour === 'kpt', place: '' }).contents
}

function folderOf(texts: Texts): WholeFolder {
  const paths = Object.keys(texts).sort()
  return {
    files: new Map(paths.map((path) => [path, fileOf(Buffer.from(texts[path] ?? ''))])),
    links: [],
    gitFolders: [],
    leftovers: [],
  }
}

function fileOf(bytes: Buffer): WholeFile {
  return { mode: 0o644, size: bytes.length, read: () => bytes, holds: (other) => bytes.equals(other) }
}

function recordIn(record: JsonRecord, key: string): JsonRecord {
  const value = lookup(record, key)
  if (!isRecord(value)) throw new Error(`'${key}' must be a map`)
  return value
}

function textsIn(record: JsonRecord, key: string): Texts {
  return Object.fromEntries(Object.entries(recordIn(record, key)).map(([name, value]) => [name, String(value)]))
}
