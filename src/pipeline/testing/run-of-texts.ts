import { configMapText, kptfileText } from '../../../testdata/written-objects.ts'
import { folderTree } from '../../folder/file-tree.ts'
import { finish } from '../../progress.ts'
import type { FunctionAnswer, Runners } from '../match.ts'
import { type PackageRun, readPackages, runPackages } from '../run-packages.ts'

/** A program of a test: gets the text of the list, and returns what it prints and how it ends. */
export type TestProgram = (input: string) => Partial<FunctionAnswer>

/** Runs the package in the folder `/fleet/pkg` with programs for the words of `exec`; a word without a program prints what it got. */
export function runOfTexts(
  files: Readonly<Record<string, string>>,
  programs: Readonly<Record<string, TestProgram>> = {},
  { status = false, ...runners }: Partial<Runners> & { readonly status?: boolean } = {},
): PackageRun {
  const tree = folderTree(Object.keys(files), (path) => Buffer.from(files[path] ?? ''))
  const [run] = finish(
    runPackages(
      readPackages([{ tree, place: '/fleet/pkg', name: (path) => path }]),
      {
        builtins: [],
        programs: new Map(),
        allowExec: true,
        imagePrefix: undefined,
        program:
          ([word = '']) =>
          (input) => ({ stdout: input, stderr: '', exitCode: 0, ...programs[word]?.(input) }),
        ...runners,
      },
      { status },
    ),
  )
  if (run === undefined) throw new Error('one package was asked for')
  return run
}

/** Returns the text of a Kptfile with lines after its name. */
export function kptfileWith(...lines: readonly string[]): string {
  return kptfileText('pkg', lines.map((line) => `${line}\n`).join(''))
}

/** Returns the text of a ConfigMap with lines after its name. */
export function configMapWith(name: string, ...lines: readonly string[]): string {
  return configMapText(name, lines.map((line) => `${line}\n`).join(''))
}
