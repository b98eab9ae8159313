import { basename, dirname, join, relative, sep } from 'node:path'
import { ROOT } from './ready.mjs'

// Modules that bring large libraries with them, and the functions that all use of these goes through.
const LARGE = [
  ['src/yaml/read/yaml-library.ts', ['yamlLibrary']],
  ['src/cel/program.ts', ['compile', 'compileCondition', 'compileExtendedCondition', 'compileTyped']],
  ['src/cel/re2-expression.ts', ['compileRegularExpression']],
  ['src/cel/builtins/regex.ts', ['compilePattern', 'matchesPattern']],
  ['src/render/package/package-runners.ts', ['ownBuiltin', 'packageFunctions', 'packageRunners']],
  ['functions/render-variants/generated/own-functions.ts', ['ownFunctions']],
]

// Modules that many runs do not need, in the same form. To evaluate them takes no time, to read them does.
const RARE = [
  // A call of the tool runs one command.
  ['cli/adopt/adopt.ts', ['addAdopt']],
  ['cli/catalog/catalog.ts', ['addCatalog']],
  ['cli/cel/cel.ts', ['addCel']],
  ['cli/check/check.ts', ['addCheck']],
  ['cli/completion.ts', ['addCompletion']],
  ['cli/diff/diff.ts', ['addDiff']],
  ['cli/explain/explain.ts', ['addExplain']],
  ['cli/fn/fn.ts', ['addFn']],
  ['cli/graph/graph.ts', ['addGraph']],
  ['cli/outdated/outdated.ts', ['addOutdated']],
  ['cli/plan/plan.ts', ['addPlan']],
  ['cli/promote/promote.ts', ['addPromote']],
  ['cli/render/render.ts', ['addRender']],
  ['cli/resolve/resolve.ts', ['addResolve']],
  ['cli/rings/rings.ts', ['addRings']],
  ['cli/rule.ts', ['addRule']],
  ['cli/run/run.ts', ['addRun']],
  ['cli/schema/schema.ts', ['addSchema']],
  ['cli/simulate/simulate.ts', ['addSimulate']],
  ['cli/sync/sync.ts', ['addSync']],
  // A list without a set, or a set without a fault.
  ['src/kinds/package-variant-set.ts', ['decodePackageVariantSet']],
  ['src/kinds/package-variant-matrix.ts', ['decodePackageVariantMatrix']],
  ['src/kinds/older-set.ts', ['conversionOf', 'convertOlderSet']],
  ['src/schema/schema-faults.ts', ['schemaFaults']],
  ['src/fleet/former-downstreams.ts', ['formerDownstreams', 'formerDownstreamFinder']],
  ['src/render/package/render-package.ts', ['renderPackage']],
  // A list in another layout than kpt's, or without an edit.
  ['src/resource-list/cut-unusual.ts', ['cutUnusual']],
  ['src/yaml/edit/splices.ts', ['editedText']],
  ['src/yaml/edit/merge.ts', ['mergeEdits']],
  ['src/yaml/edit/tree-change.ts', ['treeHas', 'treeAfter', 'treeAfterMove']],
  // Expressions without a fault, and those of a template, which have no extensions.
  ['src/cel/hints/hints-of-faults.ts', ['hintsOfFaults']],
  ['src/cel/hints/value-hints.ts', ['evaluationHints', 'convertHints', 'overloadHint', 'mixedHint', 'comparedHints']],
  ['src/cel/extensions/format.ts', ['format', 'formatFaults']],
]

/**
 * Returns a plugin for esbuild: a module of the table, and what it imports, is evaluated at the first call of one of its functions.
 * In the sources these are ordinary imports; in a bundle they would cost every start, also that of a run without an expression.
 *
 * @param load  the word by which a bundle gets the module: `require`, or `import` in a bundle of parts (scripts/parts.mjs)
 */
export function atFirstCall(load) {
  return {
    name: 'at-first-call',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /\?now$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path.replace(/\?now$/, '')), suffix: '?now' }))
      const modules = new Map(load === 'import' ? [...LARGE, ...RARE] : LARGE)
      onLoad({ filter: /\.ts$/ }, ({ path, suffix }) => {
        const names = modules.get(relative(ROOT, path).split(sep).join('/'))
        if (names === undefined || suffix === '?now') return undefined
        return { contents: callThrough(`${load}('./${basename(path)}?now')`, names), resolveDir: dirname(path) }
      })
    },
  }
}

function callThrough(module, names) {
  const functions = names.map((name) => `export const ${name} = (...args) => (now ??= ${module}).${name}(...args)`)
  return ['let now', ...functions].join('\n')
}
