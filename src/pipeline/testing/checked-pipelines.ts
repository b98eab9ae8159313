import { KrmObject } from '../../resource-list/krm-object.ts'
import { formatResult, type Result } from '../../result.ts'
import { checkPipelines } from '../check-pipelines.ts'
import type { BuiltinFunction, Runners } from '../match.ts'

const answer = () => ({ stdout: '', stderr: '', exitCode: 0 })

function builtin(name: string, more: Partial<BuiltinFunction> = {}): BuiltinFunction {
  return { name, versions: ['v1.1', 'v1.0'], repositories: ['fns.io'], run: () => answer, ...more }
}

const BROKEN: Result = { severity: 'error', message: 'must have a config', tags: { rule: 'required' } }

/**
 * A function that refuses other keys, one that ignores them and has differences, one that refuses its config, one that writes configs, one
 * of the catalog.
 */
const BUILTINS = [
  builtin('strict', { notes: () => ({ configMapKeys: ['size', 'name'], refusesOtherKeys: true, differences: [] }) }),
  builtin('lenient', {
    notes: (version) => ({ configMapKeys: [], refusesOtherKeys: false, differences: version === 'v1.0' ? [4, 7] : [3] }),
  }),
  builtin('broken', {
    configFindings: (version, config) => (config === undefined ? [{ ...BROKEN, message: `needs a config in ${version}` }] : []),
  }),
  builtin('any', { notes: () => ({ refusesOtherKeys: true, differences: [] }) }),
  builtin('set-labels'),
]

export const RUNNERS: Runners = { builtins: BUILTINS, programs: new Map(), allowExec: false, imagePrefix: undefined, program: () => answer }

/** Returns the findings about files, a line each. */
export function checkedPipelines(files: Readonly<Record<string, string>>, isCloned?: (folder: string) => boolean): readonly string[] {
  const items = Object.entries(files).flatMap(([path, text]) =>
    text.split('---\n').map((each, index) => KrmObject.fromDocument(each, { path, index, line: 1 })),
  )
  return checkPipelines(items, RUNNERS, isCloned).map(formatResult)
}

/** Returns the text of a Kptfile with functions, each written in a line. */
export function kptfileWithMutators(...mutators: readonly string[]): string {
  return `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\npipeline:\n  mutators:\n${mutators.map((fn) => `  - ${fn}\n`).join('')}`
}
