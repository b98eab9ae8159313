import { compareText } from '../../src/field-path.ts'
import type { ContentChange } from '../../src/render/clone/package-changes.ts'
import type { CheckedLeftover } from '../../src/render/edits/discards.ts'
import type { RenderedStep } from '../../src/render/made-packages.ts'
import type { Fate, FolderReport } from '../../src/render/render-summary.ts'
import type { Result } from '../../src/result.ts'
import { namespacedName } from '../../src/variant/find-variant.ts'
import { diffFiles } from '../print/file-diff.ts'
import { shownResults } from '../print/print-results.ts'

/** The operations on packages, most dangerous first. */
export const PACKAGE_OPERATIONS = ['remove', 'orphan', 'move', 'update', 'create'] as const
export type PackageOperation = (typeof PACKAGE_OPERATIONS)[number]

/** The number of packages for each operation. */
export type PackageCounts = Readonly<Record<PackageOperation | 'unchanged' | 'left' | 'failed', number>>

/** The changes that rendering would make, as all formats show them. */
export interface RenderView {
  readonly counts: PackageCounts
  /** True when nothing is written. */
  readonly isDryRun: boolean
  /** The number of people's edits that the upstream would replace. */
  readonly lost: number
  /** The number of runs of each function, by its name. */
  readonly functions: ReadonlyMap<string, number>
  /** By operation, most dangerous first, then by folder. */
  readonly packages: readonly PackageView[]
  readonly results: readonly Result[]
}

export interface PackageView {
  readonly op: PackageOperation
  readonly folder: string
  /** The former folder of a package that moves. */
  readonly oldFolder?: string
  /** `NAMESPACE/NAME` of the variant that the package is or was made for. */
  readonly variant: string
  readonly upstream?: string
  readonly files: readonly FileView[]
  /** The results on this package, even those that other packages have too. */
  readonly results: readonly Result[]
}

/** A file that would be written or removed. Of a file that is no text the lines are not counted. */
export interface FileView extends ContentChange {
  readonly added?: number
  readonly removed?: number
  /** A unified diff, if asked for. */
  readonly diff?: string
}

const OPERATION_OF: Readonly<Record<Fate, PackageOperation | undefined>> = {
  created: 'create',
  moved: 'move',
  updated: 'update',
  unchanged: undefined,
  left: undefined,
  failed: undefined,
}

/** The option to add unified diffs. */
interface DiffOption {
  readonly diff: boolean
}

/** The options of a view. */
interface ViewOptions extends DiffOption {
  readonly isDryRun: boolean
}

/** Returns the view of a package; undefined when nothing changes in it. */
export function viewPackage(order: RenderedStep, fate: Fate, { diff }: DiffOption): PackageView | undefined {
  const op = OPERATION_OF[fate]
  if (op === undefined) return undefined
  const { variant, upstream, folder, movedFrom } = order.step
  return {
    op,
    folder,
    ...(movedFrom !== undefined && { oldFolder: movedFrom }),
    variant: namespacedName(variant.object),
    upstream: `${variant.upstream.repo}/${variant.upstream.package}@${upstream.origin.ref}`,
    files: order.changes.map((change) => {
      const { op: fileOp, path } = change
      return viewFile(change, [order.before(path), fileOp === 'delete' ? undefined : order.bytesOf(path)], { diff })
    }),
    results: shownResults(order.results),
  }
}

const NO_BYTES = new Uint8Array()

/** Returns the view of a file with its bytes before and after, none for a missing file. */
function viewFile(
  { path, op, executable }: ContentChange,
  [before = NO_BYTES, after = NO_BYTES]: readonly (Uint8Array | undefined)[],
  { diff }: DiffOption,
): FileView {
  const difference = diffFiles(before, after)
  const turned = executable === undefined ? {} : { executable }
  if (difference === undefined) return { op, path, ...turned }
  const { added, removed, hunks } = difference
  return { op, path, added, removed, ...turned, ...(diff && { diff: hunks }) }
}

/** Returns the view of a whole run. */
export function viewRender(
  packages: readonly PackageView[],
  { fates, leftovers, lost, functions, results }: FolderReport,
  options: ViewOptions,
): RenderView {
  const all = [...leftovers.map((leftover) => viewLeftover(leftover, options)), ...packages]
  const count = (op: PackageOperation): number => all.filter((each) => each.op === op).length
  return {
    counts: {
      remove: count('remove'),
      orphan: count('orphan'),
      move: count('move'),
      update: count('update'),
      create: count('create'),
      unchanged: fates.get('unchanged') ?? 0,
      left: fates.get('left') ?? 0,
      failed: fates.get('failed') ?? 0,
    },
    isDryRun: options.isDryRun,
    lost,
    functions,
    // By folder alone: the order is the same whether or not fan-out has written the variants of new packages.
    packages: PACKAGE_OPERATIONS.flatMap((op) => all.filter((each) => each.op === op).sort((a, b) => compareText(a.folder, b.folder))),
    results,
  }
}

/** Returns the view of a package that is removed, with the files that people made or changed. */
function viewLeftover({ op, place, edits, read }: CheckedLeftover, options: DiffOption): PackageView {
  const files = edits.map((path) => viewFile({ op: 'delete', path }, [read(path)], options))
  return { op, folder: place.folder, variant: place.owner?.variant ?? '', files, results: [] }
}

/** Returns the view of a run that was refused. */
export function viewRefused(results: readonly Result[], { isDryRun }: Pick<ViewOptions, 'isDryRun'>): RenderView {
  return viewRender([], { fates: new Map(), leftovers: [], lost: 0, functions: new Map(), results }, { diff: false, isDryRun })
}
