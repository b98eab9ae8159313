import type { Host } from '../host.ts'
import { isBelowCaller, readSavedPlan, type SavedPlan } from '../plan/saved-plan.ts'
import { UsageError } from '../usage-error.ts'
import type { FleetRenderRequest } from './fleet-render-request.ts'

/** The options that the caller repeats beside a saved plan. */
type NamedAgain = Pick<FleetRenderRequest, 'out' | 'config' | 'followRenames' | 'discardEdits' | 'allowOutside'> & { readonly plan: string }

/**
 * Returns the request of `render --plan FILE`: the folder and options of the plan. Options that the caller repeats must be the same. The
 * folder may be elsewhere, since each of its files is compared.
 *
 * @throws UsageError when an option differs
 */
export function planRequest(dir: string | undefined, named: NamedAgain, host: Host): RequestOfPlan {
  const { plan: file } = named
  const plan = readSavedPlan(file, host)
  const { options } = plan
  if (dir === undefined) requireBelow(plan.folder, 'folder', file, host)
  const out = bound('--out', named.out, plan.packages, file, host)
  const config = bound('--config', named.config, options.config, file, host)
  const { followRenames, discardEdits, allowOutside } = named
  if (followRenames === true && !options.followRenames) throw plannedWithout('--follow-renames', file)
  requireSame('--discard-edits', discardEdits, options.discardEdits, file)
  requireSame('--allow-outside', allowOutside, options.allowOutside, file)
  return {
    dir: dir ?? plan.folder,
    ...(out !== undefined && { out }),
    ...(config !== undefined && { config }),
    ...(options.followRenames && { followRenames: true }),
    saved: { file, plan },
  }
}

interface RequestOfPlan extends Pick<FleetRenderRequest, 'out' | 'config' | 'followRenames'> {
  readonly dir: string
  readonly saved: { readonly file: string; readonly plan: SavedPlan }
}

function plannedWithout(option: string, file: string): UsageError {
  return new UsageError(`\`${option}\` must be that of '${file}', which was planned without`)
}

/**
 * Throws UsageError unless the caller repeats an option of the plan. A plan may be written by anyone, so discarding edits and reading
 * outside of the fleet need the caller's word.
 */
function requireSame(option: string, given: boolean | undefined, saved: boolean, file: string): void {
  if (given === true && !saved) throw plannedWithout(option, file)
  if (given !== true && saved) throw new UsageError(`\`${option}\` must be named again beside --plan: '${file}' was planned with it`)
}

function bound(option: string, given: string | undefined, saved: string | undefined, file: string, host: Host): string | undefined {
  if (saved === undefined && option === '--config' && given !== undefined)
    throw new UsageError(`\`${option}\` must be that of '${file}', which was planned without, got '${given}'`)
  if (saved === undefined) return given
  if (given !== undefined && host.locate(given) !== host.locate(saved))
    throw new UsageError(`\`${option}\` must be that of '${file}', '${saved}', got '${given}'`)
  if (given === undefined) requireBelow(saved, option, file, host)
  return saved
}

/**
 * Throws UsageError if a path of the plan is outside of the caller's folder: anyone may have written the plan, so the caller must name the
 * path too.
 */
function requireBelow(path: string, what: string, file: string, host: Host): void {
  if (!isBelowCaller(path, host))
    throw new UsageError(`the ${what} of '${file}' is '${path}', outside of this folder: name it again beside --plan if that is meant`)
}
