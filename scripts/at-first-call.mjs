import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { ROOT } from './ready.mjs'

// Modules that bring large libraries with them. They export functions only.
const LARGE = [
  'src/yaml/read/yaml-library.ts',
  'src/cel/program.ts',
  'src/cel/re2-expression.ts',
  'src/cel/builtins/regex.ts',
  'src/render/package/package-runners.ts',
  'functions/render-variants/generated/own-functions.ts',
]

// Modules that many runs do not need, which export functions only. To evaluate them takes no time, to read them does.
const RARE = [
  // A call of the tool runs one command.
  'cli/adopt/adopt.ts',
  'cli/catalog/catalog.ts',
  'cli/cel/cel.ts',
  'cli/check/check.ts',
  'cli/completion.ts',
  'cli/diff/diff.ts',
  'cli/explain/explain.ts',
  'cli/fn/fn.ts',
  'cli/graph/graph.ts',
  'cli/outdated/outdated.ts',
  'cli/plan/plan.ts',
  'cli/promote/promote.ts',
  'cli/render/render.ts',
  'cli/resolve/resolve.ts',
  'cli/rings/rings.ts',
  'cli/rule.ts',
  'cli/run/run.ts',
  'cli/schema/schema.ts',
  'cli/simulate/simulate.ts',
  'cli/sync/sync.ts',
  // What few calls of a command do.
  'cli/check/check-sarif.ts',
  'cli/explain/explain-functions.ts',
  'cli/plan/compare-with-cluster.ts',
  'cli/plan/compare-with-revision.ts',
  'cli/plan/package-changes.ts',
  'cli/plan/save-plan.ts',
  'cli/print/file-diff.ts',
  'cli/render/render-branches.ts',
  'src/cel/reads.ts',
  'src/fleet/templates/field-sources.ts',
  'src/merge/merge-packages.ts',
  // What a render does only if something changed since the last one.
  'cli/render/plan-request.ts',
  'cli/render/render-fleet.ts',
  'cli/render/write-status.ts',
  'src/render/source/disk-package-source.ts',
  // A list without a set, or a set without a fault.
  'src/kinds/package-variant-set.ts',
  'src/kinds/package-variant-matrix.ts',
  'src/kinds/older-set.ts',
  'src/schema/schema-faults.ts',
  'src/schema/validate.ts',
  'src/fleet/former-downstreams.ts',
  'src/fleet/targets/no-match.ts',
  // Variants, of which a list may have none, and their packages.
  'src/kinds/package-variant.ts',
  'src/render/package/clone-package.ts',
  'src/render/package/local-edits.ts',
  'src/render/package/render-package.ts',
  'src/render/package/unexplained-files.ts',
  'src/render/source/upstream-faults.ts',
  'src/render/target/lifecycle/lifecycle-results.ts',
  // A list in another layout than kpt's, or without an edit.
  'src/resource-list/cut-unusual.ts',
  'src/yaml/read/yaml-reader.ts',
  'src/yaml/edit/splices.ts',
  'src/yaml/edit/merge.ts',
  'src/yaml/edit/tree-change.ts',
  // Expressions without a fault, and those of a template, which have no extensions.
  'src/cel/hints/hints-of-faults.ts',
  'src/cel/hints/value-hints.ts',
  'src/cel/extensions/format.ts',
]

/**
 * Returns a plugin for esbuild: a module of the table, and what it imports, is evaluated at the first call of one of its functions.
 * In the sources these are ordinary imports; in a bundle they would cost every start, also that of a run without an expression.
 *
 * @param load  the word by which a bundle gets the module: `require`, or `import` in a bundle of parts (scripts/parts.mjs)
 */
export function atFirstCall(load) {
  const modules = new Set(load === 'import' ? [...LARGE, ...RARE] : LARGE)
  return {
    name: 'at-first-call',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\?now$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.replace(/\?now$/, '')), suffix: '?now' }))
      onLoad({ filter: /\.ts$/ }, ({ path, suffix }) => {
        if (suffix === '?now' || !modules.has(relative(ROOT, path).split(sep).join('/'))) return undefined
        return { contents: callThrough(`${load}('./${basename(path)}?now')`, functionsOf(path)), resolveDir: dirname(path) }
      })
    },
  }
}

/** Returns the names of the functions that a module exports. Throws an error if it exports other values, which cannot wait for a call. */
function functionsOf(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (!line.startsWith('export ') || /^export (?:type|interface) /.test(line)) return []
      const [, name] = /^export (?:async )?function\*? (\w+)/.exec(line) ?? []
      if (name === undefined) throw new Error(`${path} exports more than functions: ${line}`)
      return [name]
    })
}

function callThrough(module, names) {
  const functions = names.map((name) => `export const ${name} = (...args) => (now ??= ${module}).${name}(...args)`)
  return ['let now', ...functions].join('\n')
}
