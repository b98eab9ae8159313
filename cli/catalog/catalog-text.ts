import type { CatalogChange } from '../../src/dependencies/config/add-to-catalog.ts'
import type { CatalogEntry } from '../../src/dependencies/reading/catalog.ts'
import { printable, printableText } from '../../src/printable.ts'
import type { Result } from '../../src/result.ts'
import { countOf } from '../../src/wording.ts'
import { countOperations } from '../print/operation-counts.ts'
import { printDocument } from '../print/print-value.ts'
import type { Styles } from '../print/styles.ts'

/** The changes of a Catalog, for all formats. */
export interface CatalogView {
  /** The file of the Catalog, as the caller named it. */
  readonly file: string
  readonly op: 'create' | 'update' | 'keep'
  readonly isWritten: boolean
  /** The versions of the sources, in the order of the sources. */
  readonly versions: readonly AddedVersion[]
  /** A unified diff, where one was asked for. */
  readonly diff?: string
  readonly results: readonly Result[]
}

/** A version that was read, and its effect on the Catalog. */
export interface AddedVersion {
  readonly entry: CatalogEntry
  readonly change: CatalogChange
}

const FILE_SIGNS = { create: '+', update: '~', keep: '=' } as const
const SIGNS = { add: '+', change: '~', same: '=' } as const

/** Returns the changes of a Catalog for a terminal. Findings are not included: they are printed to stderr. */
export function catalogText({ file, op, versions, diff = '' }: CatalogView, styles: Styles): string {
  const style = { add: styles.added, change: styles.changed, same: styles.faint }
  const lines = versions.map(({ entry, change }) => `    ${style[change](`${SIGNS[change]} ${printable(describe(entry))}`)}\n`)
  return `${FILE_SIGNS[op]} ${printable(file)}\n${lines.join('')}${printableText(diff)}`
}

/** Returns the changes of a Catalog for other programs: one JSON document, described by schemas/output/catalog.json. */
export function catalogJson({ file, op, isWritten, versions, diff, results }: CatalogView): string {
  const shown = versions.map(
    ({
      entry: {
        ecosystem,
        id,
        version,
        package: { repository },
        fields,
      },
      change,
    }) => ({
      change,
      ecosystem,
      id,
      ...(repository !== undefined && { repository }),
      version,
      fields,
    }),
  )
  return printDocument({ file, op, written: isWritten, versions: shown, ...(diff !== undefined && { diff }) }, results)
}

/** Returns an entry in words: `xpkg.example.org/acme/nop v0.2.1: digest not known, 2 dependencies, 3 objects`. */
function describe({ ecosystem, id, version, fields }: CatalogEntry): string {
  const { digest, dependencies, components, brings } = fields
  const counts = [
    ...(Array.isArray(dependencies) ? [dependencies.length === 1 ? '1 dependency' : `${dependencies.length} dependencies`] : []),
    ...(Array.isArray(brings) ? [countOf(brings.length, 'object')] : []),
  ]
  if (ecosystem === 'glasskube') {
    const more = Array.isArray(components) ? [countOf(components.length, 'component')] : []
    return `${`${id} ${version}`.trim()}: ${counts.length === 0 ? 'dependencies not known' : [...counts, ...more].join(', ')}`
  }
  return `${id} ${version}: ${[typeof digest === 'string' ? digest.slice(0, 'sha256:'.length + 12) : 'digest not known', ...counts].join(', ')}`
}

/** Returns the number of versions that are added and changed, in one line. */
export function summarizeCatalog({ versions }: CatalogView, isWritten: boolean): string {
  const found = versions.flatMap(({ change }) => (change === 'add' || change === 'change' ? [change] : []))
  return countOperations('version', { found, order: ['add', 'change'], isWritten }) || 'nothing to do'
}
