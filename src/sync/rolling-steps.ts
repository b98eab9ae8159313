import { groupBy } from '../group-by.ts'
import { asList, asRecord, equalJson, type JsonRecord, type JsonValue, memberOf, recordsOf, scalarText } from '../json.ts'

/** The label of an Application of an ApplicationSet with its wave, by which the ApplicationSet syncs step by step. */
export const WAVE_LABEL = 'krm-variants.dev/wave'

/** Returns the step of an ApplicationSet that syncs the Applications of a wave. */
export function rollingStep(wave: string): JsonRecord {
  return { matchExpressions: [{ key: WAVE_LABEL, operator: 'In', values: [wave] }] }
}

/** The waves of an ApplicationSet as it was generated, each with the wave that it is now; undefined for one that is none any more. */
type Waves = ReadonlyMap<string, string | undefined>

/**
 * Returns each wave with the wave that most of its Applications have now: a wave is the place of a ring, so a new first ring moves all. A
 * wave whose Applications went keeps its number, unless another wave has it now.
 *
 * @example  ring `lab` comes first: `0` → `1`, `1` → `2`
 */
export function wavesOfNow(base: JsonRecord, theirs: JsonRecord): Waves {
  const now = new Map(elementsOf(theirs))
  const pairs = elementsOf(base).map(([name, wave]) => ({ wave, next: now.get(name) }))
  const waves = new Map<string, string | undefined>()
  const most = [...groupBy(pairs, ({ wave, next }) => `${wave} ${next ?? ''}`).values()].sort((a, b) => b.length - a.length)
  const taken = new Set<string>()
  for (const [{ wave, next }] of most) {
    if (next === undefined || waves.has(wave) || taken.has(next)) continue
    waves.set(wave, next)
    taken.add(next)
  }
  for (const { wave } of pairs) if (!waves.has(wave)) waves.set(wave, taken.has(wave) ? undefined : wave)
  return waves
}

/** Returns the names and waves of the Applications of an ApplicationSet. */
function elementsOf(set: JsonRecord): readonly (readonly [name: string, wave: string])[] {
  const elements = recordsOf(asRecord(set.spec).generators).flatMap(({ list }) => recordsOf(asRecord(list).elements))
  return elements.map(({ name, wave }) => [scalarText(name), scalarText(wave)])
}

/** Returns an ApplicationSet whose steps have the waves of now, without the steps of a wave that is none any more. */
export function withWavesOfNow(set: JsonRecord, waves: Waves): JsonRecord {
  const spec = asRecord(set.spec)
  const strategy = asRecord(spec.strategy)
  const rollingSync = asRecord(strategy.rollingSync)
  if (!Array.isArray(rollingSync.steps)) return set
  const steps = rollingSync.steps.flatMap((step: JsonValue): readonly JsonValue[] => {
    const wave = waveOf(step)
    const next = waves.has(wave) ? waves.get(wave) : wave
    return next === undefined ? [] : [next === wave ? step : { ...asRecord(step), ...rollingStep(next) }]
  })
  return { ...set, spec: { ...spec, strategy: { ...strategy, rollingSync: { ...rollingSync, steps } } } }
}

const STEPS = ['spec', 'strategy', 'rollingSync', 'steps']

/** Returns the steps to which people added something and whose wave is none any more, each as a value that the fleet removed. */
export function stepsThatGo(set: JsonRecord, waves: Waves) {
  return asList(STEPS.reduce<JsonValue | undefined>(memberOf, set)).flatMap((step, place) => {
    const wave = waveOf(step)
    const goes = waves.has(wave) && waves.get(wave) === undefined && !equalJson(step, rollingStep(wave))
    return goes ? [{ field: [...STEPS, place], ours: step, theirs: undefined }] : []
  })
}

/** Returns the wave of a step, also of one to which people added fields; '' for a step of people. */
function waveOf(step: JsonValue): string {
  const { matchExpressions } = asRecord(step)
  const wave = scalarText(asList(asRecord(asList(matchExpressions)[0]).values)[0])
  return equalJson(matchExpressions, rollingStep(wave).matchExpressions) ? wave : ''
}
