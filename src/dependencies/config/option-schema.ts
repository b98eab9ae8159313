import type { Schema } from '../../schema/schema.ts'
import { KIND, PACKAGE } from './catalog-schema.ts'

/** The options that every function on dependencies has. */
export const SHARED_OPTIONS = {
  universe: {
    description: 'open: other packages may be installed and other versions exist. closed: items, catalogs and cluster are all there is.',
    enum: ['open', 'closed'],
    default: 'open',
  },
  cluster: {
    description: 'What is known of the cluster.',
    type: 'object',
    properties: {
      kubernetesVersion: { description: 'The version of Kubernetes.', type: 'string', examples: ['1.31.2'] },
      crossplaneVersion: { description: 'The version of Crossplane.', type: 'string', examples: ['v2.1.3'] },
      kappControllerVersion: { description: 'The version of kapp-controller.', type: 'string', examples: ['0.54.0'] },
      apis: { description: 'Kinds it serves, beside the built-in ones.', type: 'array', items: KIND },
      globalPackageNamespace: {
        description: 'Where kapp-controller looks for Packages that every namespace sees.',
        type: 'string',
        default: 'kapp-controller-packaging-global',
      },
    },
    additionalProperties: false,
  },
  catalog: { description: 'Packages as in a Catalog.', type: 'array', items: PACKAGE },
  carvelSemver: { description: 'Which semver of kapp-controller reads ranges.', enum: ['2024', '2026'], default: '2024' },
  crossplaneSemantics: {
    description: 'Which forms of dependsOn are read: those of Crossplane today, or those of its package design.',
    enum: ['current', 'seed'],
    default: 'current',
  },
  rules: {
    description: 'The severity of a rule, by its id.',
    type: 'object',
    additionalProperties: { enum: ['error', 'warning', 'info', 'off'] },
  },
  strict: { description: 'Whether warnings are errors.', type: 'boolean', default: false },
} as const satisfies Readonly<Record<string, Schema>>
