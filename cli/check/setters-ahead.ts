import { posix } from 'node:path'
import type { FleetPlan } from '../../src/fleet/plan-fan-out.ts'
import { PackageMakers, type PlannedVariant, plannedVariants, upstreamOfPlanned } from '../../src/fleet/planned-variants.ts'
import { asRecord, isRecord, type JsonValue, lookup } from '../../src/json.ts'
import type { PackageFiles } from '../../src/merge/package-files.ts'
import { functionsIn } from '../../src/pipeline/pipeline-steps.ts'
import { settersAhead } from '../../src/pipeline/setters-ahead.ts'
import { remember } from '../../src/remember.ts'
import { GroupedFindings } from '../../src/render/grouped-findings.ts'
import { isKptfile, KPTFILE } from '../../src/resource-list/package-of.ts'
import type { Result } from '../../src/result.ts'
import type { RuleId } from '../../src/rules/rule-id.ts'
import type { SourcePackage } from '../../src/upstream/source-package.ts'
import type { FleetReading } from '../fleet/fleet-reading.ts'
import { atSets, variantObject } from '../fleet/variants-in-memory.ts'

/** The findings about setters that a render will have. */
export interface SettersAhead {
  readonly results: readonly Result[]
  /** Returns true for a finding about a package as it is on disk that one of `results` says of the cause. */
  says(result: Result): boolean
}

export const NO_SETTERS_AHEAD: SettersAhead = { results: [], says: () => false }

/**
 * Returns the warnings about setters that go nowhere in the packages of a plan, before they are rendered: each at its field of the set, of
 * the variant or of the upstream package. Upstream packages in git, and those that another variant makes, are not looked at.
 */
export function settersOfPlan(fleet: FleetReading, plan: FleetPlan): SettersAhead {
  const planned = plannedVariants(plan)
  const sourceOf = sourcesInFolders(fleet, plan, planned)
  const found = new GroupedFindings()
  const said = new Set<string>()
  const out = fleet.out?.shown ?? ''
  for (const variant of planned) {
    const source = sourceOf(variant)
    if (source === undefined) continue
    const folder = posix.join(variant.repo, variant.packageName)
    for (const result of source.warningsOf(variant)) {
      found.add(result.resourceRef?.kind === KPTFILE ? source.place : folder, [result])
      said.add(`${posix.join(out, folder, KPTFILE)} ${setterIn(result)}`)
    }
  }
  const says = ({ file, tags, ...result }: Result) => tags.rule === RULE && said.has(`${file?.path ?? ''} ${setterIn(result)}`)
  return { results: atSets(found.results(), plan), says }
}

const RULE: RuleId = 'setter-unmatched'

interface JudgedSource extends Pick<SourcePackage, 'place'> {
  warningsOf(variant: PlannedVariant): readonly Result[]
}

/** Returns a function that returns the upstream package of a variant; undefined if the package is in no folder. */
function sourcesInFolders(
  fleet: FleetReading,
  plan: FleetPlan,
  planned: readonly PlannedVariant[],
): (variant: PlannedVariant) => JudgedSource | undefined {
  const makers = new PackageMakers(planned)
  const { library } = fleet.library(plan)
  const judged = new Map<SourcePackage, JudgedSource>()
  return (variant) => {
    const asked = { upstream: upstreamOfPlanned(variant), namespace: variant.namespace }
    if (makers.of(asked.upstream, asked.namespace) !== undefined || library.folders(asked).git !== undefined) return undefined
    const found = library.wanted(asked)
    if (!('revision' in found)) return undefined
    return remember(judged, found.revision.source, (source) => judgedSource(fleet, source))
  }
}

/** Returns an upstream package, of which each form of a pipeline is judged once if there is nothing to say of it. */
function judgedSource(fleet: FleetReading, { place, files }: SourcePackage): JudgedSource {
  const sound = new Set<string>()
  const warningsOf = (variant: PlannedVariant): readonly Result[] => {
    const form = formOf(variant)
    if (sound.has(form)) return []
    const results = warningsIn(fleet, variant, files)
    if (results.length === 0) sound.add(form)
    return results
  }
  return { place, warningsOf }
}

/** Returns the warnings about a package. A comment that people wrote into the rendered package counts as one of upstream. */
function warningsIn(fleet: FleetReading, variant: PlannedVariant, files: PackageFiles): readonly Result[] {
  const added = functionsIn(variantObject(variant), ['spec', 'pipeline'])
  const results = settersAhead(files, added)
  return results.length === 0 ? results : settersAhead(new Map([...files, ...renderedFiles(fleet, variant)]), added)
}

/** Returns the files of the package of a variant as it is, without Kptfiles, in a folder of their own. */
function renderedFiles({ out, read }: FleetReading, { repo, packageName }: PlannedVariant): PackageFiles {
  if (out === undefined) return new Map()
  const start = `${posix.join(out.shown, repo, packageName)}/`
  const items = read.list.items.filter(({ file }) => file?.path.startsWith(start) === true && !isKptfile(file.path))
  return new Map([[RENDERED, items]])
}

/** The path of what people have in a package, beside the files of upstream: no file has a path that ends so. */
const RENDERED = 'rendered/'

/** Returns a text that is equal for variants whose functions get the same setters, with other values. */
function formOf({ spec, object }: PlannedVariant): string {
  const mutators = lookup(asRecord(lookup(spec ?? asRecord(object.get(['spec'])), 'pipeline')), 'mutators')
  const keysOnly = (key: string, value: JsonValue) => (key === 'configMap' && isRecord(value) ? Object.keys(value) : value)
  return JSON.stringify(mutators ?? null, keysOnly)
}

/** Returns the part of a warning that names the setter. */
function setterIn({ message }: Pick<Result, 'message'>): string {
  return / has the setter (.*?), which no resource /.exec(message)?.[1] ?? ''
}
