import { type Command, InvalidArgumentError, Option } from 'commander'
import { fieldToPromote, planPromotion, unorderedRevision } from '../../src/fleet/releases/promotion.ts'
import { askedNumber, isSame, type RevisionEdit } from '../../src/fleet/releases/ring-order.ts'
import {
  newUpstream,
  type RevisionField,
  type RingRevision,
  revisionFieldOf,
  type WrittenRevision,
  writeRevision,
} from '../../src/fleet/releases/ring-revisions.ts'
import { revisionNumber } from '../../src/kinds/revision.ts'
import { hasErrors, type Result } from '../../src/result.ts'
import { quoteText } from '../../src/schema/describe-value.ts'
import { faultToResult } from '../../src/schema/fault.ts'
import { inLine, nameFirst } from '../../src/wording.ts'
import { addColorOptions } from '../command-options.ts'
import { addFleetOptions, type FleetChoices, requireOut } from '../fleet/fleet-options.ts'
import { holdingFolders } from '../hold-folders.ts'
import type { ExitCode, Host } from '../host.ts'
import { placed, printResults, shownResults } from '../print/print-results.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import { type RingFleet, readRingFleet } from '../rings/read-rings.ts'
import { type AskedUpstream, askedRings } from '../rings/ring-filters.ts'
import { UsageError } from '../usage-error.ts'
import { writeEdits } from '../write-edits.ts'
import { promoteJson, promoteText, viewPromotion } from './promote-report.ts'

interface PromoteOptions extends FleetChoices {
  readonly matrix: string
  readonly package: string
  readonly ring: string
  readonly to: number
  readonly force?: boolean
  readonly dryRun?: boolean
  readonly format: 'text' | 'json'
  readonly color?: boolean
}

const NOTES = `
One line changes: the revision of the ring, or that of the upstream for the last ring if the ring has none of its own. Comments stay. The
packages are left to render.

Refused is a revision that an earlier ring does not ask for yet (ring-skipped), that packages of an earlier ring are not at yet
(ring-overtaken), or that the line gives to several rings (rings-at-once). --force writes it nevertheless, and the output names what was
passed over.

Exit code: 0 done, or nothing to do; 1 refused, or an error, and nothing was written; of --dry-run also 2, there is a change. Also 1 if a
file of a rendered package cannot be read: the line is changed, unless the package is in an earlier ring.

Examples:
  krm-variants promote --matrix base --package cert-manager --to 4 --ring canary fleet
  krm-variants promote --matrix base --package cert-manager --to 4 --ring world --dry-run fleet`

/** Adds `promote [DIR]`: gives a ring of a matrix another revision of a package. */
export function addPromote(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('promote')
    .description('give a ring of a matrix another revision of a package: change the one line, and refuse to skip or overtake a ring')
    .argument('[dir]', 'the folder of the fleet', '.')
    .requiredOption('--matrix <name>', 'the matrix, NAME or NAMESPACE/NAME')
    .requiredOption('--package <name>', 'the upstream, PACKAGE or REPOSITORY/PACKAGE')
    .requiredOption('--to <revision>', 'the revision, 4 or v4', parseRevision)
    .requiredOption('--ring <name>', 'the ring')
    .option('--force', 'change the line although a ring is skipped or overtaken, and say so')
    .option('--dry-run', 'show the changed line only')
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json']).default('text'))
  addFleetOptions(addColorOptions(command), { without: ['cluster'] })
    .addHelpText('after', NOTES)
    .action(async (dir: string, options: PromoteOptions) => finish(await promote(dir, options, host)))
}

function parseRevision(text: string): number {
  const number = askedNumber(text)
  if (number === undefined) throw new InvalidArgumentError('It must be the number of a revision, such as 4 or v4.')
  return number
}

async function promote(dir: string, options: PromoteOptions, host: Host): Promise<ExitCode> {
  requireOut(dir, options, host)
  return holdingFolders({ dirs: [dir], isWriting: options.dryRun !== true }, host, () => promoteFolder(dir, options, host))
}

async function promoteFolder(dir: string, options: PromoteOptions, host: Host): Promise<ExitCode> {
  const fleet = await readRingFleet('promote', dir, options, host)
  const asked = askedRings(fleet.plan, { matrix: [options.matrix], package: [options.package], ring: [options.ring] })
  const { upstream, ring, field } = onlyField(asked, options)
  const edit = { field, revision: options.to }
  const promotion = planPromotion(fleet.plan.sets, edit, fleet.known)
  const isChange = promotion.changes.length > 0
  const found = isChange ? [...unknownRevision(upstream, edit, fleet), ...promotion.results] : []
  const passedOver = options.force === true ? found.filter(isForceable).map((result): Result => ({ ...result, severity: 'warning' })) : []
  const judged = options.force === true ? found.filter((result) => !isForceable(result)) : found
  const results = shownResults([...fleet.results, ...fleet.locks.results, ...judged])
  const isRefused = hasErrors(results.filter((result) => !fleet.broken.includes(result)))
  const isMade = isChange && !isRefused
  if (isMade) writeRevision(field, writtenFor(upstream, edit, fleet))
  host.warn(printResults(results, errorStylesFor(host, options)))
  const shown: string[] = []
  if (isMade) writeEdits(fleet.reading.read, dir, { say: (text) => shown.push(text), isDryRun: options.dryRun === true }, host)
  const isWritten = isMade && options.dryRun !== true
  const view = viewPromotion({ upstream, ring, promotion }, { results, passedOver, isWritten })
  if (options.format === 'json') {
    host.write(promoteJson(view))
    host.warn(shown.join(''))
  } else if (!isRefused) host.write(`${promoteText(view, stylesFor(host, options))}${shown.join('')}`)
  if (hasErrors(results)) return 1
  return isChange && options.dryRun === true ? 2 : 0
}

/** Rules that `--force` passes over. */
const FORCEABLE: ReadonlySet<string> = new Set(['ring-skipped', 'ring-overtaken', 'rings-at-once'])

function isForceable({ severity, tags }: Result): boolean {
  return severity === 'error' && FORCEABLE.has(tags.rule)
}

interface AskedField {
  readonly upstream: AskedUpstream
  readonly ring: RingRevision
  readonly field: RevisionField
}

/**
 * Returns the one field that gives the ring its revision of the package.
 *
 * @throws UsageError when the names of the caller mean several fields
 */
function onlyField(upstreams: readonly AskedUpstream[], { package: name }: PromoteOptions): AskedField {
  const fields = upstreams.flatMap((upstream) =>
    upstream.asked.map((ring): AskedField => ({ upstream, ring, field: fieldToPromote(upstream.plan, upstream.upstream, ring.ring) })),
  )
  const [first, ...others] = fields
  if (first === undefined) throw new UsageError('no matrix of the fleet has rings: `spec.rings` of a PackageVariantMatrix lists them')
  if (others.every(({ field }) => isSame(field, first.field))) return first
  const lines = fields.map(({ upstream: { plan, upstream }, field }) => {
    const { place = '' } = placed(field.object, field.path)
    return `${plan.owner.namespace}/${plan.owner.name} ${upstream.repo}/${upstream.package} (${place})`
  })
  throw new UsageError(
    `${quoteText(name)} must mean one upstream of one matrix, found ${nameFirst(lines.map(inLine), NAMED)}; name REPOSITORY/PACKAGE and NAMESPACE/NAME`,
  )
}

const NAMED = 5

/** Returns the value of the field: a number in a ring, in an upstream a revision written like the present one. */
function writtenFor({ upstream, plan }: AskedUpstream, { field, revision }: RevisionEdit, fleet: RingFleet): WrittenRevision {
  if (!isSame(field, revisionFieldOf(upstream))) return { revision }
  return newUpstream(upstream, `v${revision}`, plan.owner.namespace, fleet.plan.fleet)
}

/** Returns an error for a revision that the upstream does not have, or that cannot take the place of the present one. */
function unknownRevision({ upstream, plan }: AskedUpstream, { field, revision }: RevisionEdit, fleet: RingFleet): readonly Result[] {
  if (isSame(field, revisionFieldOf(upstream)) && (revisionNumber(upstream.revision) ?? 0) === 0)
    return [unorderedRevision(field, String(upstream.revision ?? upstream.workspaceName))]
  const { library } = fleet.reading.library(fleet.plan)
  const asked = { repo: upstream.repo, package: upstream.package, revision }
  if (library.has(asked, plan.owner.namespace)) return []
  const { newest } = library.newest(asked, plan.owner.namespace)
  const of = quoteText(`${upstream.repo}/${upstream.package}`)
  if (newest === undefined) {
    const message = `is not compared with the revisions of ${of}: none is known, neither from a folder, git nor a PackageRevision`
    return [faultToResult(field.object, { severity: 'warning', rule: 'revision-unseen', path: field.path, message })]
  }
  const message = `must be a revision of ${of} that exists, got 'v${revision}'; the newest is ${quoteText(newest)}`
  return [faultToResult(field.object, { severity: 'error', rule: 'revision-unseen', path: field.path, message })]
}
