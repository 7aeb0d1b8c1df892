/** Raster images only: an SVG could load something from elsewhere. */
export const drawable = (mimeType: string): boolean => /^image\/(png|jpeg|gif|webp)$/.test(mimeType);
