/** The names under which Autolith shows itself among the checks: repairs, and reviews of pull requests. */
export const fixCheckName = "Autolith";
export const reviewCheckName = "Autolith review";
