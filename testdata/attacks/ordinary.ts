import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import { injectConfig } from '../../functions/inject-config/inject-config.ts'
import { prependPipeline } from '../../functions/prepend-pipeline/prepend-pipeline.ts'
import { renderVariants } from '../../functions/render-variants/render-variants.ts'
import { resolveDependencies } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { setContext } from '../../functions/set-context/set-context.ts'
import { ENSURE_NAME_SUBSTRING } from '../../src/catalog/ensure-name-substring/ensure-name-substring.ts'
import { SEARCH_REPLACE } from '../../src/catalog/search-replace/search-replace.ts'
import { SET_IMAGE } from '../../src/catalog/set-image/set-image.ts'
import type { KrmFunction } from '../../src/run.ts'
import { ordinaryItems, repeat, WRAPPER } from './attack.ts'
import { BY_LABEL, catalog, context, glasskube, keys, needs, repositories, setWith, version } from './functions.ts'
import { functions, injections, pipelines, rendering, resolution, resources, variants } from './packages.ts'

const TEMPLATE = `      template:
        downstream:
          repoExpr: target.name
          packageExpr: "'app-' + target.name"
        labelExprs:
        - {key: env, valueExpr: "target.labels['env']"}
        - {key: site, valueExpr: "repository.name"}
        annotationExprs:
        - {key: made-for, valueExpr: "target.namespace + '/' + target.name"}
`

const PREPENDED = pipelines(`  pipeline:\n    mutators:\n${functions(5, '    ')}`, functions(5, '      '))

/** A megabyte of what each function ordinarily gets: a set and its Repositories, a package with its context, a catalog. */
export const ORDINARY: ReadonlyMap<KrmFunction, () => string> = new Map([
  [fanOut, () => `${setWith(BY_LABEL + TEMPLATE)}${repositories(4000)}`],
  [setContext, () => context(keys(5, '    ', 'old-'), keys(5, '        ', 'new-')).replace('items:\n', `items:\n${ordinaryItems(1)}`)],
  [
    ENSURE_NAME_SUBSTRING.at('v0.2.0'),
    () => `${WRAPPER}${ordinaryItems(1)}functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {prepend: dev-}}\n`,
  ],
  [
    SET_IMAGE.at('v0.1.1'),
    () => `${WRAPPER}${ordinaryItems(1)}functionConfig: {apiVersion: v1, kind: ConfigMap, data: {name: nginx, newTag: x}}\n`,
  ],
  [SEARCH_REPLACE.at('v0.2.0'), () => `${WRAPPER}${ordinaryItems(1)}functionConfig: {data: {by-value: nginx, put-value: web}}\n`],
  [
    checkDependencies,
    () =>
      catalog(
        repeat(400, (id) =>
          glasskube(
            `p${id}`,
            repeat(20, (n) => version(`1.${n}.0`, needs(`p${(id + 1) % 400}`, '>=1.0.0'))),
          ),
        ),
      ),
  ],
  [prependPipeline, () => PREPENDED.replace('items:\n', `items:\n${ordinaryItems(1)}`)],
  [injectConfig, () => injections(5, 5).replace('items:\n', `items:\n${ordinaryItems(1)}`)],
  [renderVariants, () => rendering(resources(10), variants(400))],
  [
    resolveDependencies,
    () =>
      resolution(
        repeat(400, (id) =>
          glasskube(
            `p${id}`,
            repeat(20, (n) => version(`1.${n}.0`, needs(`p${id + 1}`, '>=1.0.0'))),
          ),
        ) + glasskube('p400', version('1.0.0', ' []')),
        5,
      ),
  ],
])
