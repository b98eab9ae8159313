/** The options of the function config that concern Crossplane. */
export interface CrossplaneOptions {
  /** The forms of dependsOn that are read: those of Crossplane today, or those of seed 003. */
  readonly crossplaneSemantics: 'current' | 'seed'
  readonly crossplaneVersion?: string | undefined
  /** True when an installed dependency inherits packagePullSecrets and packagePullPolicy of the package that requires it. */
  readonly inheritPullSettings?: boolean | undefined
}
