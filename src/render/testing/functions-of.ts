import type { Texts } from '../../../testdata/package-of-texts.ts'
import { kptfileText } from '../../../testdata/written-objects.ts'
import type { BuiltinFunction, FunctionAnswer, Runners } from '../../pipeline/match.ts'
import type { PackageToRun } from '../clone/rendered-package.ts'
import { type FunctionSettings, PackageFunctions } from '../runs/package-functions.ts'

/** A function of a test by its name: gets the text of the list, and returns what it prints and how it ends. */
export type TestFunctions = Readonly<Record<string, (input: string) => string | Partial<FunctionAnswer>>>

/** Returns runners of images of `test.io`; every other image has no runner. */
export function runnersOf(functions: TestFunctions, more: Partial<Runners> = {}): Runners {
  const builtins = Object.entries(functions).map(([name, run]): BuiltinFunction => {
    const runner = (input: string): FunctionAnswer => {
      const answer = run(input)
      return { stdout: input, stderr: '', exitCode: 0, ...(typeof answer === 'string' ? { stdout: answer } : answer) }
    }
    return { name, repositories: ['test.io'], versions: [], run: () => runner }
  })
  const program = () => () => ({ stdout: '', stderr: 'no program runs here', exitCode: 1 })
  return { builtins, programs: new Map(), allowExec: false, imagePrefix: undefined, program, ...more }
}

/** Returns functions of packages that run images of `test.io`. */
export function functionsOf(functions: TestFunctions, settings: FunctionSettings = {}): PackageFunctions {
  return new PackageFunctions(runnersOf(functions), settings)
}

/** Returns the text of a Kptfile with mutators, each as YAML in one line. */
export function pipelineKptfile(...mutators: readonly string[]): string {
  return kptfileText('shop', `pipeline:\n  mutators:\n${mutators.map((each) => `  - ${each}\n`).join('')}`)
}

/** Returns the package `edge/shop` of files that are given as texts. */
export function packageToRunOf(texts: Texts, more: Partial<PackageToRun> = {}): PackageToRun {
  return { folder: 'edge/shop', paths: Object.keys(texts), read: (path) => Buffer.from(texts[path] ?? ''), ...more }
}
