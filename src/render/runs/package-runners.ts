import { printImage } from '../../pipeline/image.ts'
import type { BuiltinFunction, Runners } from '../../pipeline/match.ts'
import { AnswerMemo } from '../../pipeline/runners/answer-memo.ts'
import { type ContainerOptions, imageRunners } from '../../pipeline/runners/container.ts'
import { type ProgramSettings, programRunner } from '../../pipeline/runners/program.ts'
import { evaluate, type KrmFunction } from '../../run.ts'
import { CATALOG_BUILTINS } from './catalog-builtins.ts'
import { type FunctionSettings, PackageFunctions } from './package-functions.ts'

/** The programs and containers that may run functions of packages, by the caller and the options of a fleet. */
export interface RunnerSettings extends ProgramSettings, Pick<Runners, 'programs' | 'allowExec' | 'imagePrefix' | 'waysOut'> {
  readonly anyVersion: boolean
  /** Undefined if no image may run in a container. */
  readonly containers: ContainerOptions | undefined
  /** The functions of this project that run in this process. */
  readonly own: readonly BuiltinFunction[]
}

/** Returns a function of this project at every tag of its image: the tool and the images of a release are one source. */
export function ownBuiltin(name: string, fn: KrmFunction): BuiltinFunction {
  return { name, repositories: ['ghcr.io/krm-variants'], versions: [], run: () => (input) => evaluate(fn, input) }
}

/** Returns the programs, containers and built-in functions that may run the functions of packages. */
export function packageRunners({ containers, own, folder, environment, seconds, ...allowed }: RunnerSettings): Runners {
  const settings = { folder, environment, seconds }
  return {
    ...allowed,
    builtins: [...own, ...CATALOG_BUILTINS],
    program: (words) => programRunner(words, settings),
    ...(containers !== undefined && { container: imageRunners(containers, settings) }),
  }
}

/** Returns runners that call each program and container once for each list. */
function withMemo(runners: Runners): Runners {
  const memo = new AnswerMemo()
  const { container } = runners
  return {
    ...runners,
    program: (words) => memo.wrap(`program ${JSON.stringify(words)}`, runners.program(words)),
    ...(container !== undefined && {
      container: (image, written) => {
        const runner = container(image, written)
        return typeof runner === 'string' ? runner : memo.wrap(`image ${printImage(image)}`, runner)
      },
    }),
  }
}

/** Returns what runs the functions of packages in memory. `render` and the function render-variants share it. */
export function packageFunctions(runnerSettings: RunnerSettings, settings: FunctionSettings): PackageFunctions {
  return new PackageFunctions(withMemo(packageRunners(runnerSettings)), settings)
}
