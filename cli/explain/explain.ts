import { type Command, Option } from 'commander'
import { hasErrors, type Result } from '../../src/result.ts'
import { shellPath } from '../../src/shell-word.ts'
import { addColorOptions } from '../command-options.ts'
import { clusterTest, onlyInCluster } from '../fleet/cluster-option.ts'
import { addFleetOptions, type FleetChoices } from '../fleet/fleet-options.ts'
import { type FleetReading, openFleet } from '../fleet/fleet-reading.ts'
import { findPlaceFaults } from '../fleet/place-faults.ts'
import type { ExitCode, Host } from '../host.ts'
import { isFolder } from '../place-kind.ts'
import { refuseNoSet } from '../plan/no-set.ts'
import { printResults, shownResults } from '../print/print-results.ts'
import { printDocument } from '../print/print-value.ts'
import { errorStylesFor, stylesFor } from '../print/styles.ts'
import { UsageError } from '../usage-error.ts'
import { explainBehind } from './explain-behind.ts'
import { explainFunctions } from './explain-functions.ts'
import { explainMissing } from './explain-missing.ts'
import { explainObject } from './explain-object.ts'
import type { ExplainAnswer, Planned } from './explain-text.ts'
import { explainVariant } from './explain-variant.ts'
import { namesObject } from './object-of-name.ts'

interface ExplainOptions extends FleetChoices {
  readonly format: 'text' | 'json'
  readonly missing?: string
  readonly behind?: boolean
  readonly functions?: string
  readonly color?: boolean
}

const NOTES = `
Exit code: 0 explained, 1 an error, nothing or more than one thing of that name.

Examples:
  krm-variants explain tenants-hub-west-loyalty examples/fleet
  krm-variants explain Deployment/hello.spec.replicas fleet --cluster prod
  krm-variants explain --missing Store/kel-01 examples/fleet
  krm-variants explain --behind clusters
  krm-variants explain --functions clusters/edge-01/shop`

/**
 * Adds `explain NAME [DIR]`: explains the origin of a variant, or of a rendered object, and of each of its values, why an object has no
 * variant, or which packages are behind.
 */
export function addExplain(program: Command, host: Host, finish: (code: ExitCode) => void): void {
  const command = program
    .command('explain')
    .description('say where a variant and each of its values come from, why an object has none, or which packages are behind')
    .argument(
      '[name]',
      'the variant, NAME or NAMESPACE/NAME; or an object that clusters get, KIND/NAME or KIND/NAME.FIELD; not with --missing and --behind',
    )
    .argument('[dir]', 'the folder to read, - for a ResourceList on stdin (default: ".")')
    .option('--missing <object>', 'say of each target why it leaves out an object: NAME, KIND/NAME or NAMESPACE/NAME')
    .addOption(
      new Option('--behind', "list packages that are older than their set's upstream, or than the newest revision of it").conflicts(
        'missing',
      ),
    )
    .addOption(
      new Option(
        '--functions <package>',
        'list the functions of a package in their order, with those that their condition skips',
      ).conflicts(['missing', 'behind']),
    )
    .addOption(new Option('--format <format>', 'how to print it').choices(['text', 'json']).default('text'))
  addFleetOptions(addColorOptions(command))
    .addHelpText('after', NOTES)
    .action(async (name: string | undefined, dir: string | undefined, options: ExplainOptions) =>
      finish(await explain(name, dir, options, host)),
    )
}

async function explain(name: string | undefined, dir: string | undefined, options: ExplainOptions, host: Host): Promise<ExitCode> {
  if (name === undefined || options.functions !== undefined || !asksForVariant(options) || !namesObject(name))
    return explainAsked(name, dir, options, host)
  if (dir === '-') throw new UsageError('the folder of an object must be named, got -: its package is rendered')
  return say(await explainObject(name, dir ?? '.', options, host), [], options, host)
}

async function explainAsked(name: string | undefined, dir: string | undefined, options: ExplainOptions, host: Host): Promise<ExitCode> {
  if (options.functions !== undefined) {
    if (name !== undefined) throw new UsageError(`one package must be given with --functions, got '${options.functions}' and '${name}'`)
    return say(await explainFunctions(options.functions, host), [], options, host)
  }
  const { question, folder } = questionOf(name, dir, options)
  const fleet = await openFleet(folder, options, host, 'spare')
  const { list, results, broken } = fleet.read
  const plan = await fleet.plan()
  const answer = tryAnswer(() => {
    const isAsked = clusterTest(list.items, options, plan.sets)
    return question({ plan, items: list.items, isAsked }, fleet)
  })
  // A variant that is explained needs no set: a chain may be made of variants alone.
  const needsSet = answer.given === undefined || !asksForVariant(options)
  const planned = needsSet ? refuseNoSet(plan.results, folder, host) : plan.results.filter(({ tags }) => tags.rule !== 'no-set')
  const found = [...results, ...broken, ...planned.filter(({ severity }) => severity === 'error')]
  if (answer.given === undefined) {
    host.warn(printResults(shownResults(found), errorStylesFor(host, options)))
    if (dir === undefined && asksForVariant(options)) refuseFolder(name ?? '', host)
    throw answer.refusal
  }
  return say(answer.given, found, options, host)
}

/** Answers which packages are behind, also those outside of the folder of the fleet. */
function answerBehind(planned: Planned, fleet: FleetReading): ExplainAnswer {
  const { plan, items, isAsked } = planned
  const { kptfiles, faults } = fleet.packagesOutside(plan)
  const misplaced = findPlaceFaults(fleet, plan)
  const sets = onlyInCluster(plan.sets, isAsked)
  const answer = explainBehind(
    { ...planned, plan: { ...plan, sets }, items: [...items, ...kptfiles] },
    fleet.upstreams({ allowOutside: true }),
  )
  return { ...answer, results: [...faults, ...misplaced, ...(answer.results ?? [])] }
}

/** Prints an answer, and before it the findings of the folder and of the answer. */
function say({ view, text, results = [] }: ExplainAnswer, findings: readonly Result[], options: ExplainOptions, host: Host): ExitCode {
  const found = [...findings, ...results]
  host.warn(printResults(shownResults(found), errorStylesFor(host, options)))
  host.write(options.format === 'json' ? printDocument(view) : text(stylesFor(host, options)))
  return hasErrors(found) ? 1 : 0
}

/**
 * Returns the answer, or the error that refuses the question. Findings of the folder are printed before that error: they are often its
 * cause.
 */
function tryAnswer(ask: () => ExplainAnswer): { readonly given?: ExplainAnswer; readonly refusal?: unknown } {
  try {
    return { given: ask() }
  } catch (refusal) {
    return { refusal }
  }
}

interface Question {
  readonly question: (planned: Planned, fleet: FleetReading) => ExplainAnswer
  readonly folder: string
}

/** Refuses a folder without a name before it. @throws UsageError when the name is a folder */
function refuseFolder(name: string, host: Host): void {
  if (!isFolder(host.locate(name))) return
  throw new UsageError(`\`NAME\` must be given before the folder '${name}': krm-variants explain NAME ${shellPath(name)}`)
}

function asksForVariant({ missing, behind }: ExplainOptions): boolean {
  return missing === undefined && behind !== true
}

/** Returns the question that the arguments ask. @throws UsageError when the arguments ask no question, or several */
function questionOf(name: string | undefined, dir: string | undefined, options: ExplainOptions): Question {
  const { missing } = options
  if (asksForVariant(options)) {
    if (name === undefined)
      throw new UsageError('`NAME` must be given: the variant to explain; or --missing OBJECT, --behind, or --functions PACKAGE')
    const looking = { offline: true, allowOutside: true }
    return { question: (planned, fleet) => explainVariant(name, planned, () => fleet.upstreams(looking)), folder: dir ?? '.' }
  }
  if (dir !== undefined) throw new UsageError(`one folder must be given with --missing and --behind, got '${name}' and '${dir}'`)
  const folder = name ?? '.'
  if (missing !== undefined) return { question: (planned) => explainMissing(missing, planned), folder }
  return { question: (planned, fleet) => answerBehind(planned, fleet), folder }
}
