import type { SourceOptions } from './import-sources.ts'

/** The options of `import` that decide what a package holds, and the place of the package, which only charts need: it names their release. */
export type ImportChoices = Omit<SourceOptions, 'helmBinary'> & { readonly setters?: readonly string[]; readonly as?: string | undefined }

/** Returns the import command with the same sources and choices, without the options that say how to run programs. */
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
    as: one(as),
  }
  const words = Object.entries(given).flatMap(([option, args]) => (args === undefined || args.length === 0 ? [] : [`--${option}`, ...args]))
  return ['import', ...words].join(' ')
}
