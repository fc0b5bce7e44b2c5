/** What rooms cover: `area_m` is x, y of two opposite corners, or of three and more in turn. */

/** All its corners in turn, as `[x, y]`. */
export function outline(area) {
    if (area.length === 4) {
        const [x, y, x2, y2] = area;
        return [[x, y], [x2, y], [x2, y2], [x, y2]];
    }
    return Array.from({ length: area.length / 2 }, (_, index) => [area[2 * index], area[2 * index + 1]]);
}

/** The least rectangle around it, as `[left, top, right, bottom]`. */
export function bounds(area) {
    const corners = outline(area);
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Whether a point is in it. */
export function holds(area, x, y) {
    const corners = outline(area);
    let isInside = false;
    for (const [index, [ax, ay]] of corners.entries()) {
        const [bx, by] = corners[(index + 1) % corners.length];
        if ((ay > y) !== (by > y) && x < ax + (bx - ax) * (y - ay) / (by - ay)) isInside = !isInside;
    }
    return isInside;
}

/** The commands that draw its outline. */
export function path(area) {
    return `M${outline(area).map(([x, y]) => `${x} ${y}`).join("L")}Z`;
}

/** A point that lies in it, near its middle. */
export function middle(area) {
    const corners = outline(area);
    const sum = corners.reduce(([x, y], [cx, cy]) => [x + cx / corners.length, y + cy / corners.length], [0, 0]);
    if (holds(area, ...sum)) return sum;
    // Of an L the mean of its corners may lie outside: some diagonal does not.
    for (const [index, a] of corners.entries()) {
        const b = corners[(index + 2) % corners.length];
        const point = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
        if (holds(area, ...point)) return point;
    }
    return corners[0];
}

/** Where the name of a room begins: the uppermost of its corners, of those the leftmost. */
export function uppermost(corners) {
    return corners.reduce((best, one) => one[1] < best[1] || (one[1] === best[1] && one[0] < best[0]) ? one : best);
}
