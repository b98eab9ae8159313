import { shellWord } from '../../src/shell-word.ts'
import type { SourceOptions } from './import-sources.ts'

/** The options of `import` that decide what a package holds, and the place of the package. */
export type ImportChoices = Omit<SourceOptions, 'helmBinary'> & { readonly setters?: readonly string[]; readonly as?: string }

/**
 * Returns what to type in a shell for an import with the same sources and choices. Paths of programs are left out: each machine has others.
 */
export function importCommand(choices: ImportChoices): string {
  const { manifest, helm, kustomize, package: dir, values, hooks, namespace, kubeVersion, apiVersions, setters, as } = choices
  const one = (word: string | undefined) => (word === undefined ? undefined : [word])
  const given: Readonly<Record<string, readonly string[] | undefined>> = {
    manifest,
    helm: one(helm),
    kustomize: one(kustomize),
    package: one(dir),
    values,
    namespace: one(namespace),
    'kube-version': one(kubeVersion),
    'api-versions': apiVersions,
    hooks: hooks === 'keep' ? [hooks] : undefined,
    setters,
    'enable-helm': choices.enableHelm === true ? [] : undefined,
    'allow-exec': choices.allowExec === true ? [] : undefined,
    as: one(as),
  }
  const words = Object.entries(given).flatMap(([option, args]) => (args === undefined ? [] : [`--${option}`, ...args]))
  return ['krm-variants', 'import', ...words].map(shellWord).join(' ')
}
