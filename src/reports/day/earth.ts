/** A length of one degree of latitude, and of one degree of longitude on the equator. */
export const METERS_PER_DEGREE = 111_320;

/** The longitude, counted past 180 degrees where that is nearer to `origin`: a ferry may cross the date line. */
export function nearestLongitude(lng: number, origin: number): number {
  const distance = lng - origin;
  return distance > 180 ? lng - 360 : distance < -180 ? lng + 360 : lng;
}
