import type { KrmObject } from '../resource-list/krm-object.ts'
import { packageFolders } from '../resource-list/package-of.ts'
import { insideTest } from '../resource-list/revision-folders.ts'
import type { Result } from '../result.ts'
import { faultToResult } from '../schema/fault.ts'
import { kptDifferences } from './kpt.ts'
import { porchDifferences } from './porch.ts'
import type { KptFacts, PorchFacts, SystemDifferences } from './system-differences.ts'
import { otherWorkspaces } from './upstream-workspaces.ts'

const GCR = 'gcr.io/kpt-fn'
const GHCR = 'ghcr.io/kptdev/krm-functions-catalog'

const NEWEST_FIELDS = ['configRef', 'when']

/** kpt beta.56 knows no `tag` and looks for short names at gcr.io (recorded runs of both versions). */
const KPT_BETA_56: KptFacts = {
  name: 'kpt 1.0.0-beta.56',
  unknownFields: ['tag', ...NEWEST_FIELDS],
  refusesRenderStatus: true,
  imagePrefix: GCR,
}
const KPT_BETA_67: KptFacts = { name: 'kpt 1.0.0-beta.67', unknownFields: NEWEST_FIELDS, imagePrefix: GHCR }
/** kpt 1.0.0 of 2026-08-31: its release notes name `when`; `configRef` is in the documentation of the same month, and was not tried. */
const KPT_1_0: KptFacts = { name: 'kpt 1.0.0', unknownFields: [], unprovenFields: ['configRef'], imagePrefix: GHCR }

/** Porch 1.5.3 of September 2025: its go.mod has kpt beta.48, its builtinruntime.go the images. */
const PORCH_1_5_3: PorchFacts = {
  name: 'Porch 1.5.3',
  kpt: { name: 'the kpt 1.0.0-beta.48 in Porch 1.5.3', unknownFields: ['tag', ...NEWEST_FIELDS], imagePrefix: GCR },
  droppedFields: ['tag', ...NEWEST_FIELDS],
  inProcess: { 'apply-replacements': ['v0.1.1', 'v0.1'], 'set-namespace': ['v0.4.1', 'v0.4'], starlark: ['v0.4.3', 'v0.4'] },
  hasFunctionConfigs: false,
}

/** Porch 1.5 of April 2026, whose controllers gave the recorded answers (docs/porch.md). */
const PORCH_1_5: PorchFacts = {
  name: 'Porch 1.5',
  kpt: { name: 'the kpt 1.0.0-beta.62 in Porch 1.5', unknownFields: NEWEST_FIELDS, imagePrefix: GHCR },
  droppedFields: NEWEST_FIELDS,
  hasFunctionConfigs: false,
}

/**
 * Porch 1.6 of June and July 2026 is older than the kpt that knows `when`. The kind FunctionConfig was merged before it. Its controllers
 * were read; those of 1.5 were run.
 */
const PORCH_1_6: PorchFacts = {
  ...PORCH_1_5,
  name: 'Porch 1.6',
  kpt: { name: 'the kpt in Porch 1.6', unknownFields: NEWEST_FIELDS, imagePrefix: GHCR },
  hasFunctionConfigs: true,
}

/** Porch's main branch of August 2026: the pipelines of its CRDs are those of a kpt with `when` and `configRef`. */
const PORCH_MAIN: PorchFacts = {
  name: 'the main branch of Porch',
  kpt: { name: 'the kpt in the main branch of Porch', unknownFields: [], imagePrefix: GHCR },
  droppedFields: [],
  inProcess: { 'apply-replacements': ['v0.1', 'v0.1.5'], 'set-namespace': ['v0.4', 'v0.4.5'], starlark: ['v0.5', 'v0.5.5'] },
  hasFunctionConfigs: true,
}

/** The fleet is rendered here, so a workspace of another revision is only a trap for later. */
const RENDERED_HERE: SystemDifferences = {
  refused: new Set(),
  replaced: new Set(),
  faults: (items) => otherWorkspaces(items).map((fault) => ({ ...fault, severity: 'warning' })),
}

/**
 * The systems that make packages of a fleet's files, by the name that a user gives. Without a version: the newest release with tested
 * facts.
 */
export const SYSTEMS = {
  'krm-variants': RENDERED_HERE,
  kpt: kptDifferences(KPT_1_0),
  'kpt@beta.56': kptDifferences(KPT_BETA_56),
  'kpt@beta.67': kptDifferences(KPT_BETA_67),
  'kpt@1.0': kptDifferences(KPT_1_0),
  porch: porchDifferences(PORCH_1_6),
  'porch@1.5.3': porchDifferences(PORCH_1_5_3),
  'porch@1.5': porchDifferences(PORCH_1_5),
  'porch@1.6': porchDifferences(PORCH_1_6),
  'porch@main': porchDifferences(PORCH_MAIN),
} as const satisfies Readonly<Record<string, SystemDifferences>>

export type SystemName = keyof typeof SYSTEMS

/** The names of `SYSTEMS`, in order. */
export const SYSTEM_NAMES: readonly SystemName[] = [
  'krm-variants',
  'kpt',
  'kpt@beta.56',
  'kpt@beta.67',
  'kpt@1.0',
  'porch',
  'porch@1.5.3',
  'porch@1.5',
  'porch@1.6',
  'porch@main',
]

/**
 * Returns the name of a system for a name that may have the last number of a release: `kpt@1.0` for `kpt@1.0.0`; undefined for no system.
 */
export function systemName(text: string): SystemName | undefined {
  const names = [text, text.replace(/(@\d+\.\d+)\.\d+$/, '$1')]
  return names.flatMap((name) => SYSTEM_NAMES.find((each) => each === name) ?? [])[0]
}

/**
 * Returns the findings of a check for a system: its own findings, and the given ones with the severity that they have for the system.
 *
 * @param results  the findings of the other checks
 * @param items    the objects of the fleet
 */
export function findingsFor(system: SystemName, results: readonly Result[], items: readonly KrmObject[]): readonly Result[] {
  const { refused, refusedInPackages, replaced, faults }: SystemDifferences = SYSTEMS[system]
  const packages = refusedInPackages === undefined ? new Set<string>() : packageFolders(items)
  const isInPackage = insideTest(packages)
  const isRefused = ({ severity, tags: { rule }, file }: Result): boolean =>
    severity === 'warning' &&
    (refused.has(rule) || (refusedInPackages?.has(rule) === true && (packages.has('') || isInPackage(file?.path ?? ''))))
  const others = results
    .filter(({ tags }) => !replaced.has(tags.rule))
    .map((result) => (isRefused(result) ? { ...result, severity: 'error' as const } : result))
  return [...others, ...faults(items).map(({ object, ...fault }) => faultToResult(object, fault))]
}

/**
 * Returns true for a system that runs packages as kpt does and refuses one with YAML that is no resource, also a package without functions.
 */
export function refusesOtherYaml(system: SystemName): boolean {
  const { refusedInPackages }: SystemDifferences = SYSTEMS[system]
  return refusedInPackages !== undefined
}
