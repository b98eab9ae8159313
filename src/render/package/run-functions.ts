import { mayHoldResources, objectsOf, readResources } from '../../folder/read-whole-package.ts'
import type { WholeFile } from '../../folder/whole-folder.ts'
import type { PackageFiles } from '../../merge/package-files.ts'
import { type Calls, known } from '../../pipeline/calls.ts'
import { hasErrors } from '../../result.ts'
import { packageChanges } from '../clone/package-changes.ts'
import { type FunctionRun, type PackageToRun, type RenderedFiles, unchanged } from '../clone/rendered-package.ts'
import { behindResult, functionsState } from '../edits/functions-behind.ts'
import { type EditedUpdate, overwrittenByFunctions } from '../edits/overwritten-by-functions.ts'
import { withoutWrittenValues } from '../edits/written-values.ts'
import { isCloned, type RenderContext, type RenderedPackage, type RenderRequest, renderedBytes } from '../render-request.ts'
import { atVariant } from './variants-functions.ts'

/** The upstream revision that a package was at until now. */
export interface FormerRevision {
  /** Returns the package as the last render left it, before people edited it; undefined if its functions cannot run. */
  base(): Calls<PackageFiles | undefined>
  /** The revision before its functions ran. */
  readonly source: PackageFiles
  /**
   * Returns the files of a package that stays at its revision as a new clone of the revision has them; undefined if its functions cannot
   * run.
   * Absent for a package that gets another revision.
   */
  left?(): Calls<ReadonlyMap<string, Uint8Array> | undefined>
}

/** The run of a package without functions. */
const NO_RUN: FunctionRun = { outcome: 'done', changed: new Map(), ran: [], results: [] }

/**
 * Returns the package with the run of its functions. The functions of an unchanged package run if people changed what they are given: as
 * Porch, which runs them after each push.
 *
 * @param from  absent for a new package, and if the functions of the revision cannot run: then edits cannot be distinguished from values
 * that functions wrote
 */
export function* runFunctions(
  rendered: RenderedPackage,
  from: FormerRevision | undefined,
  request: RenderRequest,
  renderContext: RenderContext,
): Calls<RenderedPackage> {
  const { functions } = renderContext
  const { downstream } = request
  if (functions === undefined || hasErrors(rendered.results)) return rendered
  if (!isChanged(rendered, request)) {
    const left = () => from?.left?.() ?? known(undefined)
    const state = yield* functionsState(packageToRun(rendered, request, renderContext), functions, left)
    if (state === 'none') return { ...rendered, run: NO_RUN }
    if (state === 'unsettled') return { ...rendered, results: [...rendered.results, behindResult(request.folder, state)] }
    if (state !== 'behind') return rendered
  }
  const pkg = packageToRun(rendered, request, renderContext)
  const ran = yield* functions.run(pkg)
  const run = { ...ran, results: ran.results.map(pkg.atCause) }
  if (run.ran.length === 0) return { ...rendered, run }
  const runAgain = (files: RenderedFiles, { layouts }: Pick<RenderedPackage, 'layouts'>): Calls<FunctionRun> =>
    functions.forComparison.run(packageToRun({ files, ...(layouts && { layouts }) }, request, renderContext))
  const { results, written } = yield* withoutWrittenValues({ ...rendered, run, again: (files) => runAgain(files, rendered) })
  const isCompared = run.outcome === 'done' && run.changed.size + written.length > 0
  const base = isCompared ? yield* baseOf(from) : undefined
  if (from === undefined || base === undefined || downstream === undefined) return { ...rendered, results, run }
  const whole = withFilesOf(run, rendered, { ...request, downstream })
  const update: EditedUpdate = {
    ...whole,
    outcomes: rendered.outcomes,
    results,
    run,
    base,
    source: from.source,
    again: (files) => runAgain(files, whole),
    writersOf: (files, fields) => functions.writersOf(packageToRun({ files, layouts: whole.layouts }, request, renderContext), fields),
  }
  return { ...rendered, results: [...results, ...(yield* overwrittenByFunctions(update, written))], run }
}

/** Returns the package as the last render left it; undefined if that is not known. */
function baseOf(from: FormerRevision | undefined): Calls<PackageFiles | undefined> {
  return from?.base() ?? known(undefined)
}

/** Returns true for a package that is new, at another place, or has another content than on disk. */
function isChanged({ files }: RenderedPackage, { downstream, isMoved }: RenderRequest): boolean {
  return downstream === undefined || isMoved === true || packageChanges(files, downstream).length > 0
}

/** Returns a rendered package with the files that an update had no reason to read, for its functions. */
export function packageToRun(
  rendered: Pick<RenderedPackage, 'files' | 'layouts'>,
  request: RenderRequest,
  renderContext: RenderContext,
): PackageToRun & Required<Pick<PackageToRun, 'atCause'>> {
  const { folder, unread = new Map<string, WholeFile>() } = request
  const clone = renderContext.clones.of(request.upstream.source)
  return {
    folder,
    upstream: request.upstream.source.files,
    atCause: atVariant(rendered.files, request, renderContext),
    paths: [...new Set([...rendered.files.keys(), ...unread.keys()])],
    read: (path) => renderedBytes(path, rendered, request, renderContext) ?? unread.get(path)?.read() ?? new Uint8Array(),
    documents: (path, name) => (isCloned(path, rendered.files, clone) ? clone.files().documents(path, name) : undefined),
  }
}

/** The package as people left it and as rendered, with every file that the functions changed. */
type WholePackage = Pick<EditedUpdate, 'files' | 'downstream'> & Required<Pick<RenderedPackage, 'layouts'>>

/** Reads the files that an update had no reason to read, and that the functions changed. */
function withFilesOf(
  { changed }: FunctionRun,
  { files, layouts = new Map() }: RenderedPackage,
  { downstream, unread, folder }: RenderRequest & { readonly downstream: PackageFiles },
): WholePackage {
  const whole = { files: new Map(files), layouts: new Map(layouts), downstream: new Map(downstream) }
  for (const path of changed.keys()) {
    const file = mayHoldResources(path) ? unread?.get(path) : undefined
    const { layout } = file === undefined ? { layout: undefined } : readResources(`${folder}/${path}`, file.read())
    if (layout === undefined) continue
    whole.layouts.set(path, layout)
    whole.downstream.set(path, objectsOf(layout))
    whole.files.set(path, unchanged(objectsOf(layout), 'ours'))
  }
  return whole
}
