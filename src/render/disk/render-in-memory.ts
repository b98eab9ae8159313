import { wholeVariant } from '../../fleet/fleet-variants.ts'
import { below } from '../../folder/named-folder.ts'
import { diskFolder } from '../../folder/whole-folder.ts'
import { readKptfileUpstream } from '../../kinds/kptfile-upstream.ts'
import { ownerFor } from '../../lifecycle/owner-annotation.ts'
import type { DownstreamPlace, VariantStep } from '../../lifecycle/package-steps.ts'
import { answered } from '../../pipeline/calls.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import { findingsOf, type Result } from '../../result.ts'
import { namespacedName } from '../../variant/find-variant.ts'
import { checkDiscards, type WholeContent } from '../edits/discards.ts'
import { unexplainedFiles } from '../edits/unexplained-files.ts'
import { throwIfErrors } from '../grouped-findings.ts'
import type { RenderedStep } from '../made-packages.ts'
import { functionsToLose } from '../package/lost-functions.ts'
import { askedRevisions } from '../package/subpackage-revisions.ts'
import { planRender, type RenderPlan } from '../plan-render.ts'
import { downstreamFolders, type FolderRequest, folderContextOf, readContent } from './folder-request.ts'
import { packageGaps } from './out-faults.ts'
import { packagesElsewhere } from './packages-elsewhere.ts'
import { unreadPlaces } from './read-downstream.ts'
import { renderStep } from './render-step.ts'

/**
 * Returns the errors with which a render ends before it makes a package, but for packages to remove that cannot be compared here, and the
 * findings about functions that packages would lose.
 *
 * @param subpackages  the Kptfiles within the packages: by the variant that owns the package, and the folder in the package
 */
export function refusedBeforeRender(
  request: Omit<FolderRequest, 'isDryRun'>,
  subpackages: readonly { readonly kptfile: KrmObject; readonly owner: string; readonly path: string }[],
): readonly Result[] {
  const { out, places } = request
  const plan = planRender({ ...request, places: () => places, downstreams: downstreamFolders(out) })
  const contentOf = ({ folder }: DownstreamPlace) => readContent(below(out, folder), request)
  const known = plan.leftovers.filter(({ place }) => isComparable(place, contentOf, plan.renderContext))
  const discards = checkDiscards(known, plan.renderContext, contentOf)
  const found = [...plan.results, ...packageGaps(plan, request), ...packagesElsewhere(plan, request), ...discards.results]
  const lost = plan.steps.flatMap(({ op, variant, upstream, folder }) => {
    if (op !== 'update' || upstream.maker !== undefined) return []
    const read = () => readContent(below(out, folder), request).files
    const own = { variant: () => wholeVariant(variant), upstream, read }
    return findingsOf(() => functionsToLose(places.at(folder)?.kptfile(), own, plan.renderContext.upstreams))
  })
  const unread = plan.steps.flatMap(({ op, upstream, folder, movedFrom = folder }) => {
    const { disk, shown } = below(out, movedFrom)
    return op === 'update' ? unreadPlaces(diskFolder(disk), (path) => upstream.source.files.has(path), shown) : []
  })
  const steps = new Map(plan.steps.map((step) => [namespacedName(step.variant.object), step]))
  const asking = subpackages.flatMap(({ kptfile, owner, path: folder }) => {
    const step = steps.get(owner)
    if (step?.op !== 'update') return []
    const place = { folder, upstream: step.upstream.source.files, namespace: step.variant.namespace }
    const asked = askedRevisions(kptfile, place, plan.renderContext.upstreams)
    return asked !== undefined && 'results' in asked ? asked.results : []
  })
  return [...found.filter(({ severity }) => severity === 'error'), ...unread, ...lost, ...asking]
}

/** Returns true for a package whose upstream is at hand, and whose functions all run here. */
function isComparable(
  place: DownstreamPlace,
  contentOf: (place: DownstreamPlace) => WholeContent,
  { upstreams, functions }: RenderPlan['renderContext'],
): boolean {
  const kptfile = place.kptfile()
  if (kptfile === undefined || place.owner === undefined) return false
  const { revisions } = upstreams.recorded(readKptfileUpstream(kptfile).value, place.owner.variant.replace(/\/.*$/, ''))
  if (revisions.length === 0) return false
  const { files, read } = contentOf(place)
  const pkg = { folder: place.folder, paths: [...files.keys()], read: (path: string) => read(path) ?? new Uint8Array() }
  return functions === undefined || answered(functions.forComparison.run(pkg)).outcome !== 'unmatched'
}

export interface PackageInMemory extends RenderedStep {
  /**
   * Returns the files of the present package that people made or edited; none for a package that does not exist yet, and undefined if the
   * revision that the package was made of is not known.
   */
  editedFiles(): readonly string[] | undefined
}

/**
 * Renders the packages of a fleet below a folder in memory, one after the other. A package with errors is no reason to stop: its errors
 * are among its results.
 *
 * @throws FunctionError  with the faults that prevent rendering any package
 */
export function* renderInMemory(request: Omit<FolderRequest, 'isDryRun'>): Generator<PackageInMemory> {
  const { out, places } = request
  const plan = planRender({ ...request, places: () => places, downstreams: downstreamFolders(out) })
  throwIfErrors([...plan.results, ...packageGaps(plan, request), ...packagesElsewhere(plan, request)])
  const folderContext = folderContextOf(plan, out)
  for (const step of plan.steps) {
    if (step.op === 'leave') continue
    yield { ...answered(renderStep(step, folderContext)), editedFiles: () => editedFiles(step, plan.renderContext, request) }
  }
}

function editedFiles(step: VariantStep, renderContext: RenderPlan['renderContext'], request: Omit<FolderRequest, 'isDryRun'>) {
  if (step.op !== 'update') return []
  const folder = step.movedFrom ?? step.folder
  const { files, layouts, others } = readContent(below(request.out, folder), request)
  const owner = request.places.at(folder)?.owner ?? ownerFor(step.variant)
  const { paths, reason } = unexplainedFiles({ folder, owner, files, layouts, variant: wholeVariant(step.variant) }, renderContext)
  return reason === undefined ? [...paths, ...others].sort() : undefined
}
